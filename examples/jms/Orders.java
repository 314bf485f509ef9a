import com.ibm.msg.client.jms.JmsConnectionFactory;
import com.ibm.msg.client.jms.JmsFactoryFactory;
import com.ibm.msg.client.wmq.WMQConstants;
import javax.jms.JMSConsumer;
import javax.jms.JMSContext;
import javax.jms.JMSProducer;
import javax.jms.Message;
import javax.jms.Queue;
import javax.jms.TextMessage;

/**
 * JMS 2.0 with IBM's own classes: orders are sent, some are chosen by a selector, and one that fails is rolled back.
 *
 *     kew start QM1 --dev
 *     java -cp com.ibm.mq.allclient.jar:javax.jms-api.jar:json.jar examples/jms/Orders.java localhost 1414
 *
 * The jars are com.ibm.mq:com.ibm.mq.allclient, javax.jms:javax.jms-api and org.json:json of Maven's registry.
 */
public class Orders {
    public static void main(String[] arguments) throws Exception {
        String host = arguments.length > 0 ? arguments[0] : "localhost";
        int port = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 1414;
        JmsConnectionFactory factory = factory(host, port);
        try (JMSContext context = factory.createContext()) {
            Queue queue = context.createQueue("queue:///DEV.QUEUE.1");
            send(context, queue);
            receive(context, queue);
        }
        try (JMSContext context = factory.createContext(JMSContext.SESSION_TRANSACTED)) {
            rollBack(context, context.createQueue("queue:///DEV.QUEUE.1"));
        }
    }

    static JmsConnectionFactory factory(String host, int port) throws Exception {
        JmsConnectionFactory factory = JmsFactoryFactory.getInstance(WMQConstants.WMQ_PROVIDER).createConnectionFactory();
        factory.setStringProperty(WMQConstants.WMQ_HOST_NAME, host);
        factory.setIntProperty(WMQConstants.WMQ_PORT, port);
        factory.setStringProperty(WMQConstants.WMQ_CHANNEL, "DEV.APP.SVRCONN");
        factory.setStringProperty(WMQConstants.WMQ_QUEUE_MANAGER, "QM1");
        factory.setIntProperty(WMQConstants.WMQ_CONNECTION_MODE, WMQConstants.WMQ_CM_CLIENT);
        factory.setBooleanProperty(WMQConstants.USER_AUTHENTICATION_MQCSP, true);
        factory.setStringProperty(WMQConstants.USERID, "app");
        factory.setStringProperty(WMQConstants.PASSWORD, "password");
        return factory;
    }

    static void send(JMSContext context, Queue queue) {
        JMSProducer producer = context.createProducer();
        for (int number = 1; number <= 4; number++) {
            producer.setProperty("fruit", number % 2 == 0 ? "pear" : "apple").send(queue, "order " + number);
        }
        System.out.println("4 orders sent");
    }

    static void receive(JMSContext context, Queue queue) throws Exception {
        try (JMSConsumer pears = context.createConsumer(queue, "fruit = 'pear'")) {
            for (Message message = pears.receive(1000); message != null; message = pears.receiveNoWait()) {
                System.out.println("a pear: " + ((TextMessage) message).getText());
            }
        }
    }

    static void rollBack(JMSContext context, Queue queue) throws Exception {
        try (JMSConsumer consumer = context.createConsumer(queue)) {
            Message order = consumer.receive(1000);
            System.out.println("rolled back: " + ((TextMessage) order).getText());
            context.rollback();
            for (order = consumer.receive(1000); order != null; order = consumer.receiveNoWait()) {
                int deliveries = order.getIntProperty("JMSXDeliveryCount");
                System.out.println(((TextMessage) order).getText() + ", delivery " + deliveries);
            }
            context.commit();
        }
    }
}
