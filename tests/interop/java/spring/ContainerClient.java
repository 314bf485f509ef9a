import com.ibm.mq.jms.MQConnectionFactory;
import com.ibm.msg.client.wmq.WMQConstants;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.jms.ConnectionFactory;
import javax.jms.MessageListener;
import javax.jms.TextMessage;
import org.springframework.jms.connection.CachingConnectionFactory;
import org.springframework.jms.connection.UserCredentialsConnectionFactoryAdapter;
import org.springframework.jms.core.JmsTemplate;
import org.springframework.jms.listener.DefaultMessageListenerContainer;

/** Spring's template sends, and its container of listeners receives in transactions: each message once, or again. */
public class ContainerClient {
    static final int MESSAGES = 200;

    public static void main(String[] arguments) throws Exception {
        MQConnectionFactory factory = new MQConnectionFactory();
        factory.setHostName(arguments[0]);
        factory.setPort(Integer.parseInt(arguments[1]));
        factory.setChannel(arguments[2]);
        factory.setTransportType(WMQConstants.WMQ_CM_CLIENT);
        factory.setQueueManager("QM1");
        UserCredentialsConnectionFactoryAdapter user = new UserCredentialsConnectionFactoryAdapter();
        user.setTargetConnectionFactory(factory);
        user.setUsername("app");
        user.setPassword("password");
        ConnectionFactory shared = user;
        List<String> received = Collections.synchronizedList(new ArrayList<>());
        Set<String> refused = ConcurrentHashMap.newKeySet();
        CountDownLatch all = new CountDownLatch(MESSAGES);
        DefaultMessageListenerContainer container = new DefaultMessageListenerContainer();
        container.setConnectionFactory(shared);
        container.setDestinationName("DEV.QUEUE.1");
        container.setSessionTransacted(true);
        container.setConcurrentConsumers(4);
        container.setErrorHandler(problem -> { });
        container.setMessageListener((MessageListener) message -> {
            try {
                String text = ((TextMessage) message).getText();
                if (text.endsWith("7") && refused.add(text)) {
                    throw new IllegalStateException("the first time");
                }
                received.add(text);
                all.countDown();
            } catch (javax.jms.JMSException problem) {
                throw new IllegalStateException(problem);
            }
        });
        container.afterPropertiesSet();
        container.start();
        CachingConnectionFactory cached = new CachingConnectionFactory(shared);
        JmsTemplate template = new JmsTemplate(cached);
        for (int number = 0; number < MESSAGES; number++) {
            template.convertAndSend("DEV.QUEUE.1", "m" + number);
        }
        boolean done = all.await(60, TimeUnit.SECONDS);
        container.shutdown();
        cached.destroy();
        boolean good = done && received.size() == MESSAGES && new TreeSet<>(received).size() == MESSAGES
            && refused.size() == MESSAGES / 10;
        System.out.println((good ? "ok   " : "FAIL ") + received.size() + " received, " + refused.size() + " of them again");
        System.exit(good ? 0 : 1);
    }
}
