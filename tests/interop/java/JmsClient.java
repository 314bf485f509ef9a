import com.ibm.mq.MQQueue;
import com.ibm.mq.MQQueueManager;
import com.ibm.mq.constants.MQConstants;
import com.ibm.msg.client.jms.JmsConnectionFactory;
import com.ibm.msg.client.jms.JmsFactoryFactory;
import com.ibm.msg.client.wmq.WMQConstants;
import java.util.Collections;
import java.util.Enumeration;
import java.util.Hashtable;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.jms.BytesMessage;
import javax.jms.Connection;
import javax.jms.DeliveryMode;
import javax.jms.Message;
import javax.jms.MessageConsumer;
import javax.jms.MessageProducer;
import javax.jms.Queue;
import javax.jms.QueueBrowser;
import javax.jms.Session;
import javax.jms.TemporaryQueue;
import javax.jms.TextMessage;

/** JMS against a queue manager: each case prints its name and ok, or what went wrong. */
public class JmsClient {
    static String host;
    static int port;
    static String channel;
    static int failures;

    interface Case {
        void run(Connection connection, Session session, Queue queue) throws Exception;
    }

    public static void main(String[] arguments) throws Exception {
        host = arguments[0];
        port = Integer.parseInt(arguments[1]);
        channel = arguments[2];
        run("send and receive", false, Session.AUTO_ACKNOWLEDGE, JmsClient::sendAndReceive);
        run("receive without wait", false, Session.AUTO_ACKNOWLEDGE, JmsClient::noWait);
        run("bytes", false, Session.AUTO_ACKNOWLEDGE, JmsClient::bytes);
        run("browser", false, Session.AUTO_ACKNOWLEDGE, JmsClient::browser);
        run("selectors on what JMS itself knows", false, Session.AUTO_ACKNOWLEDGE, JmsClient::selectors);
        run("transacted", true, Session.SESSION_TRANSACTED, JmsClient::transacted);
        run("request and reply", false, Session.AUTO_ACKNOWLEDGE, JmsClient::requestReply);
        run("listener", false, Session.AUTO_ACKNOWLEDGE, JmsClient::listener);
        run("client acknowledge", false, Session.CLIENT_ACKNOWLEDGE, JmsClient::acknowledge);
        run("persistent", false, Session.AUTO_ACKNOWLEDGE, JmsClient::persistent);
        run("asynchronous put", false, Session.AUTO_ACKNOWLEDGE, JmsClient::asynchronousPut);
        run("read ahead", false, Session.AUTO_ACKNOWLEDGE, JmsClient::readAhead);
        run("read ahead, transacted", true, Session.SESSION_TRANSACTED, JmsClient::readAhead);
        if (!channel.equals("INTEROP.0")) { // without shared conversations these clients have no JMS 2.0
            run("delivery delay", false, Session.AUTO_ACKNOWLEDGE, JmsClient::deliveryDelay);
        }
        if (!channel.equals("INTEROP.0")) { // there they wait until the time is up
            run("close in receive", false, Session.AUTO_ACKNOWLEDGE, JmsClient::closeInReceive);
        }
        if (System.getProperty("kew.cipher") == null && !channel.equals("INTEROP.0")) {
            run("listener while gets are inhibited", false, Session.AUTO_ACKNOWLEDGE, JmsClient::inhibitedListener);
        }
        run("report", false, Session.AUTO_ACKNOWLEDGE, JmsClient::report);
        run("poison", true, Session.SESSION_TRANSACTED, JmsClient::poison);
        run("many sessions", false, Session.AUTO_ACKNOWLEDGE, JmsClient::sessions);
        System.exit(failures == 0 ? 0 : 1);
    }

    static Connection connect() throws Exception {
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
        return factory.createConnection();
    }

    static void run(String name, boolean transacted, int mode, Case body) {
        try (Connection connection = connect()) {
            Session session = connection.createSession(transacted, mode);
            connection.start();
            body.run(connection, session, session.createQueue("queue:///DEV.QUEUE.2"));
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

    static String textOf(Message message) throws Exception {
        check(message != null, "no message");
        return ((TextMessage) message).getText();
    }

    static void sendAndReceive(Connection connection, Session session, Queue queue) throws Exception {
        MessageProducer producer = session.createProducer(queue);
        MessageConsumer consumer = session.createConsumer(queue);
        while (consumer.receiveNoWait() != null) {
            continue;
        }
        TextMessage sent = session.createTextMessage("h\u00e9llo \u20ac");
        sent.setStringProperty("colour", "blue");
        sent.setIntProperty("size", 7);
        producer.send(sent);
        Message got = consumer.receive(5000);
        check(textOf(got).equals("h\u00e9llo \u20ac"), "text");
        check(got.getStringProperty("colour").equals("blue") && got.getIntProperty("size") == 7, "properties");
        check(got.getJMSMessageID().equals(sent.getJMSMessageID()), "message id");
    }

    /** A listener goes on when gets are allowed again. */
    static void inhibitedListener(Connection connection, Session session, Queue queue) throws Exception {
        Hashtable<String, Object> way = new Hashtable<>();
        way.put(MQConstants.TRANSPORT_PROPERTY, MQConstants.TRANSPORT_MQSERIES_CLIENT);
        way.put(MQConstants.HOST_NAME_PROPERTY, host);
        way.put(MQConstants.PORT_PROPERTY, port);
        way.put(MQConstants.CHANNEL_PROPERTY, channel);
        way.put(MQConstants.USER_ID_PROPERTY, "app");
        way.put(MQConstants.PASSWORD_PROPERTY, "password");
        way.put(MQConstants.USE_MQCSP_AUTHENTICATION_PROPERTY, true);
        MQQueueManager manager = new MQQueueManager("QM1", way);
        MQQueue setter = manager.accessQueue("DEV.QUEUE.2", MQConstants.MQOO_SET);
        BlockingQueue<String> heard = new LinkedBlockingQueue<>();
        session.createConsumer(queue).setMessageListener(message -> {
            try {
                heard.add(textOf(message));
            } catch (Exception problem) {
                heard.add(problem.toString());
            }
        });
        Session sending = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
        MessageProducer producer = sending.createProducer(queue);
        producer.send(sending.createTextMessage("before"));
        check("before".equals(heard.poll(5, TimeUnit.SECONDS)), "before");
        setter.setInhibitGet(MQConstants.MQQA_GET_INHIBITED);
        try {
            producer.send(sending.createTextMessage("meanwhile"));
            check(heard.poll(700, TimeUnit.MILLISECONDS) == null, "it was got while that was inhibited");
        } finally {
            setter.setInhibitGet(MQConstants.MQQA_GET_ALLOWED);
        }
        check("meanwhile".equals(heard.poll(5, TimeUnit.SECONDS)), "the listener is dead");
        setter.close();
        manager.disconnect();
    }

    /** A receive that waits for ever ends, with nothing, when what it waits on is closed. */
    static void closeInReceive(Connection connection, Session session, Queue queue) throws Exception {
        for (int what = 0; what < 3; what++) {
            Connection other = connect();
            other.start();
            Session receiving = other.createSession(false, Session.AUTO_ACKNOWLEDGE);
            MessageConsumer consumer = receiving.createConsumer(queue);
            CountDownLatch nothing = new CountDownLatch(1);
            Thread thread = new Thread(() -> {
                try {
                    if (consumer.receive() == null) {
                        nothing.countDown();
                    }
                } catch (Exception problem) {
                    problem.printStackTrace(System.out);
                }
            });
            thread.start();
            while (thread.getState() == Thread.State.NEW || thread.getState() == Thread.State.RUNNABLE) {
                Thread.sleep(10); // until it waits
            }
            AutoCloseable[] closed = {consumer, receiving, other};
            closed[what].close();
            check(nothing.await(10, TimeUnit.SECONDS), "it did not end: " + what);
            other.close();
        }
    }

    /** A report on arrival, without data, on a message that has properties. */
    static void report(Connection connection, Session session, Queue queue) throws Exception {
        TemporaryQueue replies = session.createTemporaryQueue();
        Message sent = session.createTextMessage("arrives");
        sent.setStringProperty("colour", "red");
        sent.setJMSReplyTo(replies);
        sent.setIntProperty("JMS_IBM_Report_COA", 256); // MQRO_COA
        MessageProducer producer = session.createProducer(queue);
        producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT); // as is the queue of the report
        producer.send(sent);
        Message report = session.createConsumer(replies).receive(5000);
        check(report != null && report.getIntProperty("JMS_IBM_Feedback") == 259, "report " + report);
        check(session.createConsumer(queue).receive(5000) != null, "the message itself");
    }

    /** What is rolled back too often goes to the queue that the queue names for it, by the client's own doing. */
    static void poison(Connection connection, Session session, Queue backout) throws Exception {
        Queue queue = session.createQueue("queue:///DEV.POISON"); // BOTHRESH(2) BOQNAME(DEV.QUEUE.2)
        Message sent = session.createTextMessage("poison");
        session.createProducer(queue).send(sent);
        session.commit();
        MessageConsumer consumer = session.createConsumer(queue);
        for (int time = 1; time <= 2; time++) {
            Message got = consumer.receive(5000);
            check(textOf(got).equals("poison"), "time " + time);
            check(got.getIntProperty("JMSXDeliveryCount") == time, "delivery count at time " + time);
            session.rollback();
        }
        check(consumer.receive(200) == null, "it came a third time");
        session.commit();
        Message moved = session.createConsumer(backout).receive(5000);
        check(textOf(moved).equals("poison"), "it was not moved");
        check(moved.getJMSMessageID().equals(sent.getJMSMessageID()), "message id");
        check(moved.getStringProperty("JMSXUserID").trim().equals("app"), "who sent it");
        session.commit();
    }

    static void noWait(Connection connection, Session session, Queue queue) throws Exception {
        MessageConsumer consumer = session.createConsumer(queue);
        check(consumer.receiveNoWait() == null, "a message");
        check(consumer.receive(200) == null, "a message");
    }

    static void bytes(Connection connection, Session session, Queue queue) throws Exception {
        BytesMessage sent = session.createBytesMessage();
        sent.writeBytes(new byte[200_000]);
        session.createProducer(queue).send(sent);
        BytesMessage got = (BytesMessage) session.createConsumer(queue).receive(5000);
        check(got != null && got.getBodyLength() == 200_000, "length");
    }

    static void browser(Connection connection, Session session, Queue queue) throws Exception {
        MessageProducer producer = session.createProducer(queue);
        for (int number = 0; number < 5; number++) {
            producer.send(session.createTextMessage("b" + number));
        }
        QueueBrowser browser = session.createBrowser(queue);
        int seen = 0;
        for (Enumeration<?> all = browser.getEnumeration(); all.hasMoreElements(); ) {
            check(textOf((Message) all.nextElement()).equals("b" + seen++), "text");
        }
        check(seen == 5, "seen " + seen);
        browser.close();
        MessageConsumer consumer = session.createConsumer(queue);
        for (int number = 0; number < 5; number++) {
            check(textOf(consumer.receive(2000)).equals("b" + number), "order");
        }
    }

    static void selectors(Connection connection, Session session, Queue queue) throws Exception {
        TextMessage sent = session.createTextMessage("selected");
        sent.setJMSType("order");
        sent.setStringProperty("JMSXGroupID", "group");
        sent.setIntProperty("JMSXGroupSeq", 2);
        for (String name : new String[] {"\u20acuro", "pr\u00a3ce", "a\u203fb", "\u2167", "e\u0301t\u00e9"}) {
            sent.setIntProperty(name, 8);
        }
        session.createProducer(queue).send(sent);
        for (String selector : new String[] {
            "JMSXGroupID = 'group' AND JMSXGroupSeq = 2", "JMSTimestamp BETWEEN 1 AND " + Long.MAX_VALUE,
            "JMSTimestamp = " + sent.getJMSTimestamp(), "JMSType = 'order'", "JMSPriority = 4", "JMSExpiration = 0",
            "JMSDeliveryMode = 'PERSISTENT'", "JMSMessageID = '" + sent.getJMSMessageID() + "'", "JMSXDeliveryCount = 1",
            "\u20acuro = 8 AND pr\u00a3ce = 8 AND a\u203fb = 8 AND \u2167 = 8 AND e\u0301t\u00e9 = 8"}) {
            if (channel.endsWith(".0") && selector.startsWith("\u20ac")) {
                continue;  // with SHARECNV(0) these clients read selectors themselves, and refuse such names
            }
            QueueBrowser browser = session.createBrowser(queue, selector);
            check(browser.getEnumeration().hasMoreElements(), "not found: " + selector);
            browser.close();
        }
        check(session.createConsumer(queue, "JMSXGroupSeq <> 2 OR JMSTimestamp < 1").receiveNoWait() == null, "found");
        check(textOf(session.createConsumer(queue).receive(5000)).equals("selected"), "text");
    }

    static void transacted(Connection connection, Session session, Queue queue) throws Exception {
        MessageProducer producer = session.createProducer(queue);
        MessageConsumer consumer = session.createConsumer(queue);
        producer.send(session.createTextMessage("never"));
        session.rollback();
        producer.send(session.createTextMessage("kept"));
        session.commit();
        check(textOf(consumer.receive(2000)).equals("kept"), "text");
        session.rollback();
        Message again = consumer.receive(2000);
        check(textOf(again).equals("kept") && again.getJMSRedelivered(), "redelivered");
        session.commit();
        check(consumer.receive(200) == null, "more");
        session.commit();
    }

    static void requestReply(Connection connection, Session session, Queue queue) throws Exception {
        TemporaryQueue replies = session.createTemporaryQueue();
        TextMessage request = session.createTextMessage("question");
        request.setJMSReplyTo(replies);
        session.createProducer(queue).send(request);
        Session server = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
        Message seen = server.createConsumer(queue).receive(5000);
        TextMessage answer = server.createTextMessage("answer");
        answer.setJMSCorrelationID(seen.getJMSMessageID());
        server.createProducer(seen.getJMSReplyTo()).send(answer);
        MessageConsumer consumer = session.createConsumer(replies, "JMSCorrelationID='" + request.getJMSMessageID() + "'");
        check(textOf(consumer.receive(5000)).equals("answer"), "answer");
        consumer.close();
        replies.delete();
    }

    static void listener(Connection connection, Session session, Queue queue) throws Exception {
        BlockingQueue<Message> came = new LinkedBlockingQueue<>();
        session.createConsumer(queue).setMessageListener(came::add);
        Session other = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
        MessageProducer producer = other.createProducer(queue);
        for (int number = 0; number < 20; number++) {
            producer.send(other.createTextMessage("l" + number));
        }
        for (int number = 0; number < 20; number++) {
            check(textOf(came.poll(5, TimeUnit.SECONDS)).equals("l" + number), "order " + number);
        }
        connection.stop();
        connection.start();
        producer.send(other.createTextMessage("after"));
        check(textOf(came.poll(5, TimeUnit.SECONDS)).equals("after"), "after a pause");
    }

    static void acknowledge(Connection connection, Session session, Queue queue) throws Exception {
        session.createProducer(queue).send(session.createTextMessage("ack"));
        MessageConsumer consumer = session.createConsumer(queue);
        check(textOf(consumer.receive(5000)).equals("ack"), "text");
        session.recover();
        Message got = consumer.receive(5000);
        check(textOf(got).equals("ack") && got.getJMSRedelivered(), "redelivered");
        got.acknowledge();
        check(consumer.receive(200) == null, "more");
    }

    /** Puts that nobody answers, with and without the queue open, and calls behind them that are answered. */
    static void asynchronousPut(Connection connection, Session session, Queue queue) throws Exception {
        Queue unanswered = session.createQueue(queue.getQueueName() + "?putAsyncAllowed=1");
        MessageProducer opened = session.createProducer(unanswered), anonymous = session.createProducer(null);
        for (int number = 0; number < 10; number++) {
            opened.send(session.createTextMessage("o" + number), DeliveryMode.NON_PERSISTENT, 4, 0);
            anonymous.send(unanswered, session.createTextMessage("a" + number), DeliveryMode.NON_PERSISTENT, 4, 0);
        }
        TextMessage last = session.createTextMessage("last");
        session.createProducer(queue).send(last);
        MessageConsumer consumer = session.createConsumer(queue);
        for (int number = 0; number < 10; number++) {
            check(textOf(consumer.receive(5000)).equals("o" + number), "opened " + number);
            check(textOf(consumer.receive(5000)).equals("a" + number), "anonymous " + number);
        }
        Message got = consumer.receive(5000);
        check(textOf(got).equals("last") && got.getJMSMessageID().equals(last.getJMSMessageID()), "last");
    }

    static void readAhead(Connection connection, Session session, Queue queue) throws Exception {
        Queue ahead = session.createQueue(queue.getQueueName() + "?readAheadAllowed=1");
        MessageConsumer consumer = session.createConsumer(ahead);
        Session other = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
        MessageProducer producer = other.createProducer(queue);
        for (int mode : new int[] {DeliveryMode.NON_PERSISTENT, DeliveryMode.PERSISTENT}) {
            check(consumer.receive(100) == null, "a message");
            producer.setDeliveryMode(mode);
            for (int number = 0; number < 3; number++) {
                producer.send(other.createTextMessage("a" + number));
            }
            for (int number = 0; number < 3; number++) {
                check(textOf(consumer.receive()).equals("a" + number), "order " + number); // however long it takes
                if (session.getTransacted()) {
                    session.commit();
                }
            }
        }
        consumer.close();
    }

    static void persistent(Connection connection, Session session, Queue queue) throws Exception {
        MessageProducer producer = session.createProducer(queue);
        producer.setDeliveryMode(DeliveryMode.PERSISTENT);
        MessageConsumer consumer = session.createConsumer(queue);
        for (int number = 0; number < 20; number++) {
            producer.send(session.createTextMessage("p" + number));
            Message got = consumer.receive(5000);
            check(textOf(got).equals("p" + number), "text");
            check(got.getJMSDeliveryMode() == DeliveryMode.PERSISTENT, "mode");
        }
    }

    static void sessions(Connection connection, Session session, Queue queue) throws Exception {
        for (int number = 0; number < 12; number++) {
            Session one = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
            one.createProducer(queue).send(one.createTextMessage("s" + number));
            check(textOf(one.createConsumer(queue).receive(5000)).equals("s" + number), "text");
        }
    }

    static void deliveryDelay(Connection connection, Session session, Queue queue) throws Exception {
        MessageProducer producer = session.createProducer(queue);
        MessageConsumer consumer = session.createConsumer(queue);
        producer.setDeliveryDelay(1500);
        long before = System.currentTimeMillis();
        producer.send(session.createTextMessage("later"));
        producer.setDeliveryDelay(0);
        producer.send(session.createTextMessage("now"));
        check(textOf(consumer.receive(30000)).equals("now"), "what is not delayed comes first");
        check(textOf(consumer.receive(30000)).equals("later"), "what is delayed");
        check(System.currentTimeMillis() - before >= 1500, "it came too early");
    }
}
