import com.ibm.msg.client.jms.JmsConnectionFactory;
import com.ibm.msg.client.jms.JmsFactoryFactory;
import com.ibm.msg.client.wmq.WMQConstants;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.jms.Connection;
import javax.jms.ConnectionConsumer;
import javax.jms.DeliveryMode;
import javax.jms.JMSException;
import javax.jms.Message;
import javax.jms.MessageConsumer;
import javax.jms.MessageProducer;
import javax.jms.ServerSession;
import javax.jms.ServerSessionPool;
import javax.jms.Session;
import javax.jms.TextMessage;
import javax.jms.Topic;

/** Topics of JMS against a queue manager: each case prints its name and ok, or what went wrong. */
public class TopicClient {
    static String host;
    static int port;
    static String channel;
    static int failures;

    interface Case {
        void run(Session session) throws Exception;
    }

    public static void main(String[] arguments) throws Exception {
        host = arguments[0];
        port = Integer.parseInt(arguments[1]);
        channel = arguments[2];
        run("publish and subscribe", false, TopicClient::publish);
        run("wildcards", false, TopicClient::wildcards);
        run("selector", false, TopicClient::selector);
        run("durable", false, TopicClient::durable);
        run("transacted", true, TopicClient::transacted);
        run("listener", false, TopicClient::listener);
        run("not my own", false, TopicClient::notMyOwn);
        run("long", false, TopicClient::longText);
        run("connection consumer", false, TopicClient::connectionConsumer);
        if (queued() == 0) {
            run("delivery delay", false, TopicClient::deliveryDelay);
            run("shared", false, TopicClient::shared);
            run("shared and durable", false, TopicClient::sharedDurable);
            run("shared or not", false, TopicClient::sharedOrNot);
        }
        System.exit(failures == 0 ? 0 : 1);
    }

    /**
     * The form of commands of queued publish/subscribe, 0 for none. Without shared conversations the client publishes by
     * such commands, as JMS 1.1 had it; in the first form wildcards are by character.
     */
    static int queued() {
        return Integer.getInteger("kew.queued", 0);
    }

    static Connection connect(String identifier) throws Exception {
        JmsConnectionFactory factory = JmsFactoryFactory.getInstance(WMQConstants.WMQ_PROVIDER).createConnectionFactory();
        factory.setStringProperty(WMQConstants.WMQ_HOST_NAME, host);
        factory.setIntProperty(WMQConstants.WMQ_PORT, port);
        factory.setStringProperty(WMQConstants.WMQ_CHANNEL, channel);
        factory.setIntProperty(WMQConstants.WMQ_CONNECTION_MODE, WMQConstants.WMQ_CM_CLIENT);
        factory.setStringProperty(WMQConstants.WMQ_QUEUE_MANAGER, "QM1");
        factory.setBooleanProperty(WMQConstants.USER_AUTHENTICATION_MQCSP, true);
        factory.setStringProperty(WMQConstants.USERID, "app");
        factory.setStringProperty(WMQConstants.PASSWORD, "password");
        String cipher = System.getProperty("kew.cipher");
        if (cipher != null) {
            factory.setStringProperty(WMQConstants.WMQ_SSL_CIPHER_SUITE, cipher);
        }
        if (queued() > 0) {
            int form = queued() == 1 ? WMQConstants.WMQ_BROKER_V1 : WMQConstants.WMQ_BROKER_V2;
            factory.setIntProperty(WMQConstants.WMQ_BROKER_VERSION, form);
        }
        Connection connection = factory.createConnection();
        connection.setClientID(identifier);
        connection.start();
        return connection;
    }

    static void run(String name, boolean transacted, Case one) {
        try {
            Connection connection = connect("kew");
            try {
                one.run(connection.createSession(transacted, transacted ? Session.SESSION_TRANSACTED : Session.AUTO_ACKNOWLEDGE));
            } finally {
                connection.close();
            }
            System.out.println("ok   " + name);
        } catch (Throwable problem) {
            failures++;
            System.out.println("FAIL " + name + ": " + problem);
            for (Throwable cause = problem.getCause(); cause != null; cause = cause.getCause()) {
                System.out.println("     " + cause);
            }
        }
    }

    static void check(boolean good, String what) {
        if (!good) {
            throw new AssertionError(what);
        }
    }

    static String text(Message message) throws Exception {
        return message == null ? null : ((TextMessage) message).getText();
    }

    static void publish(Session session) throws Exception {
        Topic topic = session.createTopic("dev/jms/one");
        MessageConsumer consumer = session.createConsumer(topic);
        MessageProducer producer = session.createProducer(topic);
        TextMessage sent = session.createTextMessage("hello");
        sent.setStringProperty("colour", "red");
        producer.send(sent);
        Message got = consumer.receive(5000);
        check("hello".equals(text(got)), "got " + got);
        check("red".equals(got.getStringProperty("colour")), "property " + got);
        check(got.getJMSDestination() instanceof Topic, "destination " + got.getJMSDestination());
        check(((Topic) got.getJMSDestination()).getTopicName().contains("dev/jms/one"), "topic " + got.getJMSDestination());
        check(consumer.receiveNoWait() == null, "something more came");
    }

    static void wildcards(Session session) throws Exception {
        MessageConsumer many = session.createConsumer(session.createTopic(queued() == 1 ? "dev/wild/*" : "dev/wild/#"));
        MessageConsumer one = session.createConsumer(session.createTopic(queued() == 1 ? "dev/wild/*/x" : "dev/wild/+/x"));
        MessageProducer producer = session.createProducer(null);
        producer.send(session.createTopic("dev/wild/a/x"), session.createTextMessage("1"));
        producer.send(session.createTopic("dev/wild/a/y"), session.createTextMessage("2"));
        check("1".equals(text(many.receive(5000))), "many 1");
        check("2".equals(text(many.receive(5000))), "many 2");
        check("1".equals(text(one.receive(5000))), "one 1");
        check(one.receiveNoWait() == null, "one got more");
    }

    static void selector(Session session) throws Exception {
        Topic topic = session.createTopic("dev/jms/selected");
        MessageConsumer consumer = session.createConsumer(topic, "colour = 'green'");
        MessageProducer producer = session.createProducer(topic);
        for (String colour : new String[] {"red", "green", "blue"}) {
            TextMessage message = session.createTextMessage(colour);
            message.setStringProperty("colour", colour);
            producer.send(message);
        }
        check("green".equals(text(consumer.receive(5000))), "not green");
        check(consumer.receiveNoWait() == null, "more than green");
    }

    static void durable(Session session) throws Exception {
        Topic topic = session.createTopic("dev/jms/durable");
        session.createDurableSubscriber(topic, "lasting").close();
        MessageProducer producer = session.createProducer(topic);
        producer.setDeliveryMode(DeliveryMode.PERSISTENT);
        producer.send(session.createTextMessage("meanwhile"));
        MessageConsumer again = session.createDurableSubscriber(topic, "lasting");
        check("meanwhile".equals(text(again.receive(5000))), "nothing was kept");
        again.close();
        session.unsubscribe("lasting");
    }

    static void transacted(Session session) throws Exception {
        Topic topic = session.createTopic("dev/jms/unit");
        MessageConsumer consumer = session.createConsumer(topic);
        MessageProducer producer = session.createProducer(topic);
        producer.send(session.createTextMessage("no"));
        session.rollback();
        producer.send(session.createTextMessage("yes"));
        session.commit();
        check("yes".equals(text(consumer.receive(5000))), "not what was committed");
        session.commit();
    }

    static void listener(Session session) throws Exception {
        BlockingQueue<String> heard = new LinkedBlockingQueue<>();
        Connection other = connect("other");
        try {
            Session listening = other.createSession(false, Session.AUTO_ACKNOWLEDGE);
            listening.createConsumer(listening.createTopic("dev/jms/heard")).setMessageListener(message -> {
                try {
                    heard.add(text(message));
                } catch (Exception problem) {
                    heard.add(problem.toString());
                }
            });
            MessageProducer producer = session.createProducer(session.createTopic("dev/jms/heard"));
            for (int number = 0; number < 10; number++) {
                producer.send(session.createTextMessage("" + number));
            }
            for (int number = 0; number < 10; number++) {
                check(("" + number).equals(heard.poll(5, TimeUnit.SECONDS)), "listener missed " + number);
            }
        } finally {
            other.close();
        }
    }

    static void notMyOwn(Session session) throws Exception {
        Topic topic = session.createTopic("dev/jms/own");
        MessageConsumer deaf = session.createConsumer(topic, null, true);
        MessageConsumer consumer = session.createConsumer(topic);
        session.createProducer(topic).send(session.createTextMessage("mine"));
        check("mine".equals(text(consumer.receive(5000))), "the other did not get it");
        check(deaf.receive(300) == null, "it came back");
    }

    static void longText(Session session) throws Exception {
        Topic topic = session.createTopic("dev/jms/long");
        MessageConsumer consumer = session.createConsumer(topic);
        String much = "0123456789".repeat(30000);
        session.createProducer(topic).send(session.createTextMessage(much));
        check(much.equals(text(consumer.receive(5000))), "not the same");
    }

    static void deliveryDelay(Session session) throws Exception {
        Topic topic = session.createTopic("dev/jms/later");
        MessageConsumer consumer = session.createConsumer(topic);
        MessageProducer producer = session.createProducer(topic);
        producer.setDeliveryDelay(1500);
        long before = System.currentTimeMillis();
        producer.send(session.createTextMessage("later"));
        check("later".equals(text(consumer.receive(30000))), "what is delayed");
        check(System.currentTimeMillis() - before >= 1500, "it came too early");
    }

    /** What a connection consumer finds is got by the sessions of a pool, as application servers have one. */
    static void connectionConsumer(Session session) throws Exception {
        Connection connection = connect("server");
        BlockingQueue<String> heard = new LinkedBlockingQueue<>();
        BlockingQueue<ServerSession> free = new LinkedBlockingQueue<>();
        for (int number = 0; number < 2; number++) {
            Session working = connection.createSession(true, Session.SESSION_TRANSACTED);
            working.setMessageListener(message -> {
                try {
                    heard.add(text(message));
                    working.commit();
                } catch (Exception problem) {
                    heard.add(problem.toString());
                }
            });
            free.add(new ServerSession() {
                public Session getSession() {
                    return working;
                }

                public void start() {
                    new Thread(() -> {
                        working.run();
                        free.add(this);
                    }).start();
                }
            });
        }
        ServerSessionPool pool = () -> {
            try {
                return free.take();
            } catch (InterruptedException problem) {
                throw new JMSException("interrupted");
            }
        };
        try {
            Topic topic = session.createTopic("dev/jms/server");
            ConnectionConsumer consumer = connection.createConnectionConsumer(topic, null, pool, 5);
            ConnectionConsumer lasting = connection.createDurableConnectionConsumer(topic, "server", null, pool, 5);
            MessageProducer producer = session.createProducer(topic);
            Set<String> expected = new HashSet<>();
            List<String> got = new ArrayList<>();
            for (int number = 0; number < 10; number++) {
                producer.send(session.createTextMessage("" + number));
                expected.add("" + number);
            }
            for (int number = 0; number < 20; number++) {
                got.add(heard.poll(5, TimeUnit.SECONDS));
            }
            check(new HashSet<>(got).equals(expected), "heard " + got);
            check(heard.poll(200, TimeUnit.MILLISECONDS) == null, "something came twice");
            consumer.close();
            lasting.close();
            connection.createSession(false, Session.AUTO_ACKNOWLEDGE).unsubscribe("server");
        } finally {
            connection.close();
        }
    }

    /** Two connections take part; each publication comes once, and the subscription lasts as long as one of them. */
    static void shared(Session session) throws Exception {
        Topic topic = session.createTopic("dev/jms/shared");
        MessageProducer producer = session.createProducer(topic);
        MessageConsumer first = session.createSharedConsumer(topic, "together");
        check(first.receiveNoWait() == null, "there was something from before");
        MessageConsumer second = session.createSharedConsumer(topic, "together");
        refused("another topic", () -> session.createSharedConsumer(session.createTopic("dev/jms/not"), "together"));
        refused("another selector", () -> session.createSharedConsumer(topic, "together", "colour = 'red'"));
        Set<String> got = new HashSet<>();
        for (int number = 0; number < 10; number++) {
            producer.send(session.createTextMessage("" + number));
            got.add(text((number % 2 == 0 ? first : second).receive(5000)));
        }
        check(got.size() == 10, "got " + got);
        first.close();
        producer.send(session.createTextMessage("still"));
        check("still".equals(text(second.receive(5000))), "the other one's end ended it");
        producer.send(session.createTextMessage("gone"));
        second.close();
        MessageConsumer anew = session.createSharedConsumer(topic, "together");
        check(anew.receiveNoWait() == null, "the last one's end did not end it");
    }

    static void sharedDurable(Session session) throws Exception {
        Topic topic = session.createTopic("dev/jms/lasting");
        MessageProducer producer = session.createProducer(topic);
        MessageConsumer first = session.createSharedDurableConsumer(topic, "kept");
        MessageConsumer second = session.createSharedDurableConsumer(topic, "kept");
        refused("removing what is in use", () -> session.unsubscribe("kept"));
        first.close();
        second.close();
        producer.send(session.createTextMessage("meanwhile"));
        MessageConsumer again = session.createSharedDurableConsumer(topic, "kept");
        check("meanwhile".equals(text(again.receive(5000))), "nothing was kept");
        refused("another topic", () -> session.createSharedDurableConsumer(session.createTopic("dev/jms/not"), "kept"));
        again.close();
        MessageConsumer narrowed = session.createSharedDurableConsumer(topic, "kept", "colour = 'red'");
        producer.send(session.createTextMessage("no colour"));
        check(narrowed.receiveNoWait() == null, "the selector was not taken over");
        narrowed.close();
        session.unsubscribe("kept");
    }

    static void sharedOrNot(Session session) throws Exception {
        Topic topic = session.createTopic("dev/jms/mixed");
        session.createDurableConsumer(topic, "alone").close();
        refused("sharing one that is not", () -> session.createSharedDurableConsumer(topic, "alone"));
        session.unsubscribe("alone");
        session.createSharedDurableConsumer(topic, "shared").close();
        refused("one that is shared, alone", () -> session.createDurableConsumer(topic, "shared"));
        session.unsubscribe("shared");
    }

    interface Attempt {
        void run() throws Exception;
    }

    static void refused(String what, Attempt attempt) throws Exception {
        try {
            attempt.run();
        } catch (JMSException expected) {
            return;
        }
        check(false, what + " was not refused");
    }
}
