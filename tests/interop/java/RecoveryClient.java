import com.ibm.mq.jms.MQXAConnectionFactory;
import com.ibm.msg.client.wmq.WMQConstants;
import javax.jms.MessageConsumer;
import javax.jms.TextMessage;
import javax.jms.XAConnection;
import javax.jms.XASession;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;

/** A transaction manager that is killed: arguments are host, port, channel and the step; each step but the last halts. */
public class RecoveryClient {
    static final int BRANCHES = 20;
    static final int ALL = XAResource.TMSTARTRSCAN | XAResource.TMENDRSCAN;

    record Branch(String global) implements Xid {
        public int getFormatId() {
            return 4712;
        }

        public byte[] getGlobalTransactionId() {
            return global.getBytes();
        }

        public byte[] getBranchQualifier() {
            return "branch".getBytes();
        }
    }

    public static void main(String[] arguments) throws Exception {
        MQXAConnectionFactory factory = new MQXAConnectionFactory();
        factory.setHostName(arguments[0]);
        factory.setPort(Integer.parseInt(arguments[1]));
        factory.setChannel(arguments[2]);
        factory.setTransportType(WMQConstants.WMQ_CM_CLIENT);
        factory.setQueueManager("QM1");
        XAConnection connection = factory.createXAConnection();
        connection.start();
        XASession session = connection.createXASession();
        XAResource manager = session.getXAResource();
        switch (arguments[3]) {
            case "prepare":
                for (int number = 0; number < BRANCHES; number++) {
                    Branch branch = new Branch("killed" + number);
                    manager.start(branch, XAResource.TMNOFLAGS);
                    session.createProducer(session.createQueue("DEV.QUEUE.3")).send(session.createTextMessage("m" + number));
                    manager.end(branch, XAResource.TMSUCCESS);
                    manager.prepare(branch);
                }
                break;
            case "half":
                Xid[] found = manager.recover(ALL);
                check(found.length == BRANCHES, "in doubt: " + found.length);
                for (int number = 0; number < BRANCHES / 2; number++) {
                    manager.commit(found[number], false);
                }
                break;
            default:
                Xid[] left = manager.recover(ALL);
                check(left.length == BRANCHES / 2, "in doubt: " + left.length);
                for (Xid xid : left) {
                    manager.commit(xid, false);
                }
                check(manager.recover(ALL).length == 0, "still in doubt");
                Branch get = new Branch("get");
                manager.start(get, XAResource.TMNOFLAGS);
                MessageConsumer consumer = session.createConsumer(session.createQueue("DEV.QUEUE.3"));
                for (int number = 0; number < BRANCHES; number++) {
                    check(((TextMessage) consumer.receive(5000)).getText().startsWith("m"), "text");
                }
                check(consumer.receiveNoWait() == null, "more than were sent");
                manager.end(get, XAResource.TMSUCCESS);
                manager.commit(get, true);
        }
        System.out.println("ok   " + arguments[3]);
        System.out.flush();
        Runtime.getRuntime().halt(0);
    }

    static void check(boolean condition, String what) {
        if (!condition) {
            System.out.println("FAIL " + what);
            System.out.flush();
            Runtime.getRuntime().halt(1);
        }
    }
}
