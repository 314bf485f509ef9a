import com.ibm.mq.MQException;
import com.ibm.mq.MQQueueManager;
import com.ibm.mq.constants.MQConstants;
import java.util.Hashtable;

/** What a program is told that a channel does not let in: each channel is given with the reason expected. */
public class RefusalClient {
    public static void main(String[] arguments) throws Exception {
        int failures = 0;
        for (String each : arguments[2].split(",")) {
            String channel = each.substring(0, each.indexOf('='));
            int expected = Integer.parseInt(each.substring(each.indexOf('=') + 1));
            int reason = reasonOf(arguments[0], Integer.parseInt(arguments[1]), channel);
            failures += reason == expected ? 0 : 1;
            System.out.println((reason == expected ? "ok   " : "FAIL ") + channel + ": " + reason);
        }
        System.exit(failures == 0 ? 0 : 1);
    }

    static int reasonOf(String host, int port, String channel) {
        Hashtable<String, Object> properties = new Hashtable<>();
        properties.put(MQConstants.TRANSPORT_PROPERTY, MQConstants.TRANSPORT_MQSERIES_CLIENT);
        properties.put(MQConstants.HOST_NAME_PROPERTY, host);
        properties.put(MQConstants.PORT_PROPERTY, port);
        properties.put(MQConstants.CHANNEL_PROPERTY, channel);
        properties.put(MQConstants.USER_ID_PROPERTY, "app");
        properties.put(MQConstants.PASSWORD_PROPERTY, "password");
        properties.put(MQConstants.USE_MQCSP_AUTHENTICATION_PROPERTY, true);
        try {
            new MQQueueManager("QM1", properties).disconnect();
            return 0;
        } catch (MQException refused) {
            return refused.reasonCode;
        }
    }
}
