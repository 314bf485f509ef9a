import com.ibm.mq.jms.MQXAConnectionFactory;
import com.ibm.msg.client.wmq.WMQConstants;
import java.util.Set;
import java.util.TreeSet;
import javax.jms.Message;
import javax.jms.MessageConsumer;
import javax.jms.TextMessage;
import javax.jms.XAConnection;
import javax.jms.XASession;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;

/** JMS as a resource of a transaction manager, which is played here: each case prints its name and ok, or what went wrong. */
public class XaClient {
    static final String QUEUE = "queue:///DEV.QUEUE.3";
    static final int ALL = XAResource.TMSTARTRSCAN | XAResource.TMENDRSCAN;
    static String host;
    static int port;
    static String channel;
    static int failures;

    record Branch(String global, String branch) implements Xid {
        public int getFormatId() {
            return 4711;
        }

        public byte[] getGlobalTransactionId() {
            return global.getBytes();
        }

        public byte[] getBranchQualifier() {
            return branch.getBytes();
        }
    }

    interface Case {
        void run(XAConnection connection, XASession session, XAResource manager) throws Exception;
    }

    interface Call {
        Object run() throws Exception;
    }

    public static void main(String[] arguments) throws Exception {
        host = arguments[0];
        port = Integer.parseInt(arguments[1]);
        channel = arguments[2];
        run("two phases", XaClient::twoPhases);
        run("rolled back", XaClient::rolledBack);
        run("one phase, suspended and joined", XaClient::joined);
        run("in doubt while its program is gone", XaClient::inDoubt);
        run("many in doubt", XaClient::manyInDoubt);
        run("failed work", XaClient::failedWork);
        run("nothing to do", XaClient::nothing);
        System.exit(failures == 0 ? 0 : 1);
    }

    static XAConnection connect() throws Exception {
        MQXAConnectionFactory factory = new MQXAConnectionFactory();
        factory.setHostName(host);
        factory.setPort(port);
        factory.setChannel(channel);
        factory.setTransportType(WMQConstants.WMQ_CM_CLIENT);
        factory.setQueueManager("QM1");
        factory.setBooleanProperty(WMQConstants.USER_AUTHENTICATION_MQCSP, true);
        String cipher = System.getProperty("kew.cipher");
        if (cipher != null) {
            factory.setSSLCipherSuite(cipher);
        }
        XAConnection connection = factory.createXAConnection("app", "password");
        connection.start();
        return connection;
    }

    static void run(String name, Case body) {
        try (XAConnection connection = connect()) {
            XASession session = connection.createXASession();
            body.run(connection, session, session.getXAResource());
            System.out.println("ok   " + name);
        } catch (Throwable problem) {
            failures++;
            System.out.println("FAIL " + name + ": " + problem);
            problem.printStackTrace(System.out);
        }
    }

    static void check(boolean condition, String what) {
        if (!condition) {
            throw new AssertionError(what);
        }
    }

    static int refused(Call call) throws Exception {
        try {
            return (int) (Integer) call.run();
        } catch (XAException refusal) {
            return refusal.errorCode;
        }
    }

    static void send(XASession session, String text) throws Exception {
        session.createProducer(session.createQueue(QUEUE)).send(session.createTextMessage(text));
    }

    static String receive(XASession session) throws Exception {
        try (MessageConsumer consumer = session.createConsumer(session.createQueue(QUEUE))) {
            Message got = consumer.receiveNoWait();
            return got == null ? "none" : ((TextMessage) got).getText();
        }
    }

    static void sendIn(Xid branch, XASession session, String text) throws Exception {
        XAResource manager = session.getXAResource();
        manager.start(branch, XAResource.TMNOFLAGS);
        send(session, text);
        manager.end(branch, XAResource.TMSUCCESS);
    }

    static String receiveIn(Xid branch, XASession session) throws Exception {
        XAResource manager = session.getXAResource();
        manager.start(branch, XAResource.TMNOFLAGS);
        String text = receive(session);
        manager.end(branch, XAResource.TMSUCCESS);
        return text;
    }

    static void twoPhases(XAConnection connection, XASession session, XAResource manager) throws Exception {
        Branch put = new Branch("two", "put"), get = new Branch("two", "get");
        sendIn(put, session, "two");
        check(manager.prepare(put) == XAResource.XA_OK, "prepared");
        check(receiveIn(get, session).equals("none"), "seen before the commit");
        manager.rollback(get);
        manager.commit(put, false);
        check(receiveIn(get, session).equals("two"), "text");
        check(manager.prepare(get) == XAResource.XA_OK, "prepared");
        manager.commit(get, false);
        check(refused(() -> { manager.commit(get, false); return 0; }) == XAException.XAER_NOTA, "committed twice");
    }

    static void rolledBack(XAConnection connection, XASession session, XAResource manager) throws Exception {
        Branch put = new Branch("back", "put"), get = new Branch("back", "get");
        sendIn(put, session, "back");
        manager.commit(put, true);
        check(receiveIn(get, session).equals("back"), "text");
        manager.rollback(get);
        check(receiveIn(get, session).equals("back"), "text again");
        manager.commit(get, true);
        check(receiveIn(get, session).equals("none"), "still there");
        manager.commit(get, true);
    }

    static void joined(XAConnection connection, XASession session, XAResource manager) throws Exception {
        Branch branch = new Branch("joined", "branch");
        manager.start(branch, XAResource.TMNOFLAGS);
        send(session, "first");
        manager.end(branch, XAResource.TMSUSPEND);
        manager.start(branch, XAResource.TMRESUME);
        send(session, "second");
        manager.end(branch, XAResource.TMSUCCESS);
        XASession other = connection.createXASession();
        other.getXAResource().start(branch, XAResource.TMJOIN);
        send(other, "third");
        check(refused(() -> { manager.commit(branch, true); return 0; }) == XAException.XAER_PROTO, "committed early");
        other.getXAResource().end(branch, XAResource.TMSUCCESS);
        manager.commit(branch, true);
        for (String text : new String[] {"first", "second", "third"}) {
            Branch get = new Branch("joined", text);
            check(receiveIn(get, session).equals(text), text);
            manager.commit(get, true);
        }
        other.close();
    }

    static void inDoubt(XAConnection connection, XASession session, XAResource manager) throws Exception {
        Branch put = new Branch("doubt", "put"), get = new Branch("doubt", "get");
        try (XAConnection gone = connect()) {
            XASession leaving = gone.createXASession();
            sendIn(put, leaving, "doubt");
            check(leaving.getXAResource().prepare(put) == XAResource.XA_OK, "prepared");
        }
        Xid[] found = manager.recover(ALL);
        check(found.length == 1 && new String(found[0].getGlobalTransactionId()).equals("doubt"), found.length + " found");
        manager.commit(found[0], false);
        check(receiveIn(get, session).equals("doubt"), "text");
        manager.commit(get, true);
        check(manager.recover(ALL).length == 0, "still in doubt");
    }

    /** More than these clients ask for at once (15), and just as many; told whole, and from one call to the next. */
    static void manyInDoubt(XAConnection connection, XASession session, XAResource manager) throws Exception {
        for (int count : new int[] {15, 40}) {
            Set<String> names = new TreeSet<>();
            for (int number = 0; number < count; number++) {
                Branch put = new Branch("many" + number, "put");
                names.add(put.global());
                sendIn(put, session, "many");
                check(manager.prepare(put) == XAResource.XA_OK, "prepared");
            }
            check(globals(manager.recover(ALL)).equals(names), "told whole");
            Set<String> told = globals(manager.recover(XAResource.TMSTARTRSCAN));
            told.addAll(globals(manager.recover(XAResource.TMNOFLAGS)));
            told.addAll(globals(manager.recover(XAResource.TMENDRSCAN)));
            check(told.equals(names), "told in rounds: " + told);
            for (Xid xid : manager.recover(ALL)) {
                manager.rollback(xid);
            }
            check(manager.recover(ALL).length == 0, "still in doubt");
        }
    }

    static Set<String> globals(Xid[] xids) {
        Set<String> names = new TreeSet<>();
        for (Xid xid : xids) {
            names.add(new String(xid.getGlobalTransactionId()));
        }
        return names;
    }

    static void failedWork(XAConnection connection, XASession session, XAResource manager) throws Exception {
        Branch branch = new Branch("failed", "branch"), get = new Branch("failed", "get");
        manager.start(branch, XAResource.TMNOFLAGS);
        send(session, "never");
        manager.end(branch, XAResource.TMFAIL);
        check(refused(() -> manager.prepare(branch)) == XAException.XA_RBROLLBACK, "prepared");
        check(receiveIn(get, session).equals("none"), "sent");
        manager.commit(get, true);
    }

    static void nothing(XAConnection connection, XASession session, XAResource manager) throws Exception {
        Branch branch = new Branch("nothing", "branch");
        manager.start(branch, XAResource.TMNOFLAGS);
        manager.end(branch, XAResource.TMSUCCESS);
        check(manager.prepare(branch) == XAResource.XA_RDONLY, "something was done");
    }
}
