import com.ibm.mq.MQException;
import com.ibm.mq.MQGetMessageOptions;
import com.ibm.mq.MQMessage;
import com.ibm.mq.MQPutMessageOptions;
import com.ibm.mq.MQQueue;
import com.ibm.mq.MQQueueManager;
import com.ibm.mq.constants.MQConstants;
import java.util.Hashtable;

/** A program in a unit of work when the queue manager, or its channel, is to end: it is told so, and can still commit. */
public class QuiesceClient {
    static Hashtable<String, Object> properties = new Hashtable<>();

    public static void main(String[] arguments) throws Exception {
        MQException.logExclude(MQConstants.MQRC_NO_MSG_AVAILABLE);
        properties.put(MQConstants.TRANSPORT_PROPERTY, MQConstants.TRANSPORT_MQSERIES_CLIENT);
        properties.put(MQConstants.HOST_NAME_PROPERTY, arguments[0]);
        properties.put(MQConstants.PORT_PROPERTY, Integer.parseInt(arguments[1]));
        properties.put(MQConstants.CHANNEL_PROPERTY, arguments[2]);
        properties.put(MQConstants.USER_ID_PROPERTY, "app");
        properties.put(MQConstants.PASSWORD_PROPERTY, "password");
        properties.put(MQConstants.USE_MQCSP_AUTHENTICATION_PROPERTY, true);
        int reason = Integer.parseInt(arguments[3]);
        MQQueueManager[] managers = {new MQQueueManager("QM1", properties), new MQQueueManager("*ANY", properties)};
        MQQueue[] queues = new MQQueue[managers.length];
        for (int each = 0; each < managers.length; each++) {
            queues[each] = managers[each].accessQueue(
                "DEV.QUEUE.1", MQConstants.MQOO_INPUT_SHARED | MQConstants.MQOO_OUTPUT | MQConstants.MQOO_BROWSE);
            MQPutMessageOptions unit = new MQPutMessageOptions();
            unit.options = MQConstants.MQPMO_SYNCPOINT;
            queues[each].put(new MQMessage(), unit);
        }
        System.out.println("ready");
        System.in.read();
        boolean good = true;
        for (int each = 0; each < managers.length; each++) {
            int told = get(queues[each], MQConstants.MQGMO_FAIL_IF_QUIESCING);
            int still = get(queues[each], MQConstants.MQGMO_BROWSE_FIRST);
            managers[each].commit();
            queues[each].close();
            managers[each].disconnect();
            good &= told == reason && (still == 0 || still == MQConstants.MQRC_NO_MSG_AVAILABLE);
            System.out.println((good ? "ok   " : "FAIL ") + "connection " + each + ": told " + told + ", then " + still);
        }
        System.exit(good ? 0 : 1);
    }

    static int get(MQQueue queue, int options) {
        MQGetMessageOptions asked = new MQGetMessageOptions();
        asked.options = options | MQConstants.MQGMO_NO_SYNCPOINT;
        try {
            queue.get(new MQMessage(), asked);
            return 0;
        } catch (MQException problem) {
            return problem.reasonCode;
        }
    }
}
