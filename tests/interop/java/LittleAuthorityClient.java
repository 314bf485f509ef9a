import com.ibm.msg.client.jms.JmsConnectionFactory;
import com.ibm.msg.client.jms.JmsFactoryFactory;
import com.ibm.msg.client.wmq.WMQConstants;
import javax.jms.Connection;
import javax.jms.JMSContext;
import javax.jms.Queue;
import javax.jms.Session;

/** A user who may use one queue and nothing else sends to it, in each of the ways that JMS has. */
public class LittleAuthorityClient {
    static JmsConnectionFactory factory;
    static int failed;

    public static void main(String[] arguments) throws Exception {
        factory = JmsFactoryFactory.getInstance(WMQConstants.WMQ_PROVIDER).createConnectionFactory();
        factory.setIntProperty(WMQConstants.WMQ_CONNECTION_MODE, WMQConstants.WMQ_CM_CLIENT);
        factory.setStringProperty(WMQConstants.WMQ_HOST_NAME, arguments[0]);
        factory.setIntProperty(WMQConstants.WMQ_PORT, Integer.parseInt(arguments[1]));
        factory.setStringProperty(WMQConstants.WMQ_CHANNEL, arguments[2]);
        check("a context", "one", LittleAuthorityClient::byContext);
        check("a producer of a destination", "two", LittleAuthorityClient::byProducer);
        check("a producer of none", "three", LittleAuthorityClient::byAnonymousProducer);
        System.exit(failed == 0 ? 0 : 1);
    }

    interface Sending {
        void send(String text) throws Exception;
    }

    static void check(String how, String text, Sending sending) {
        try (JMSContext context = factory.createContext()) {
            sending.send(text);
            Queue queue = context.createQueue("queue:///DEV.QUEUE.1");
            String came = context.createConsumer(queue).receiveBody(String.class, 10000);
            tell(text.equals(came), how + ": " + came);
        } catch (Exception problem) {
            Throwable cause = problem;
            while (cause.getCause() != null) {
                cause = cause.getCause();
            }
            tell(false, how + ": " + cause);
        }
    }

    static void tell(boolean good, String what) {
        System.out.println((good ? "ok   " : "FAIL ") + what);
        failed += good ? 0 : 1;
    }

    static void byContext(String text) {
        try (JMSContext context = factory.createContext()) {
            context.createProducer().send(context.createQueue("queue:///DEV.QUEUE.1"), text);
        }
    }

    static void byProducer(String text) throws Exception {
        try (Connection connection = factory.createConnection()) {
            Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
            session.createProducer(session.createQueue("queue:///DEV.QUEUE.1")).send(session.createTextMessage(text));
        }
    }

    static void byAnonymousProducer(String text) throws Exception {
        try (Connection connection = factory.createConnection()) {
            Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
            Queue queue = session.createQueue("queue:///DEV.QUEUE.1");
            session.createProducer(null).send(queue, session.createTextMessage(text));
        }
    }
}
