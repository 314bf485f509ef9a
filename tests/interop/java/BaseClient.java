import com.ibm.mq.MQDistributionList;
import com.ibm.mq.MQDistributionListItem;
import com.ibm.mq.MQEnvironment;
import com.ibm.mq.MQException;
import com.ibm.mq.MQGetMessageOptions;
import com.ibm.mq.MQMessage;
import com.ibm.mq.MQPutMessageOptions;
import com.ibm.mq.MQQueue;
import com.ibm.mq.MQQueueManager;
import com.ibm.mq.MQTopic;
import com.ibm.mq.constants.MQConstants;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Hashtable;
import java.util.List;
import java.util.Random;
import java.util.Vector;
import java.util.concurrent.FutureTask;

/** MQ classes for Java against a queue manager: each case prints its name and ok, or what went wrong. */
public class BaseClient {
    static final String QUEUE = "DEV.QUEUE.1";
    static String host;
    static int port;
    static String channel;
    static int failures;

    interface Case {
        void run(MQQueueManager manager) throws Exception;
    }

    public static void main(String[] arguments) throws Exception {
        host = arguments[0];
        port = Integer.parseInt(arguments[1]);
        channel = arguments[2];
        if (System.getProperty("kew.compressed") != null) {
            MQEnvironment.msgCompList = new Vector<>(List.of(Integer.getInteger("kew.compressed")));
        }
        MQException.logExclude(2033);
        run("put and get", BaseClient::putAndGet);
        run("get with wait", BaseClient::getWithWait);
        run("no message", BaseClient::noMessage);
        run("browse", BaseClient::browse);
        run("commit", BaseClient::commit);
        run("back out", BaseClient::backOut);
        run("request and reply", BaseClient::requestReply);
        run("long message", BaseClient::longMessage);
        run("every byte", BaseClient::everyByte);
        run("persistent", BaseClient::persistent);
        run("truncated", BaseClient::truncated);
        run("inquire and set", BaseClient::inquireAndSet);
        run("unknown queue", BaseClient::unknownQueue);
        run("put1", BaseClient::putOne);
        run("asynchronous put", BaseClient::asynchronousPut);
        run("read ahead", BaseClient::readAhead);
        run("read ahead, waiting after nothing", BaseClient::waitAfterNothing);
        run("read ahead, persistent", BaseClient::persistentReadAhead);
        run("read ahead, opened and closed while messages come", BaseClient::readAheadLedger);
        run("two connections at once", BaseClient::atOnce);
        run("groups", BaseClient::groups);
        run("segments", BaseClient::segments);
        run("another message than the next of a group", BaseClient::notTheNext);
        run("reports on a publication", BaseClient::publicationReports);
        run("distribution list", BaseClient::distributionList);
        run("distribution list with an unknown queue", BaseClient::partialList);
        wrongPassword();
        System.exit(failures == 0 ? 0 : 1);
    }

    static Hashtable<String, Object> properties(String password) {
        Hashtable<String, Object> properties = new Hashtable<>();
        properties.put(MQConstants.TRANSPORT_PROPERTY, MQConstants.TRANSPORT_MQSERIES_CLIENT);
        properties.put(MQConstants.HOST_NAME_PROPERTY, host);
        properties.put(MQConstants.PORT_PROPERTY, port);
        properties.put(MQConstants.CHANNEL_PROPERTY, channel);
        properties.put(MQConstants.USER_ID_PROPERTY, "app");
        properties.put(MQConstants.PASSWORD_PROPERTY, password);
        properties.put(MQConstants.USE_MQCSP_AUTHENTICATION_PROPERTY, true);
        String cipher = System.getProperty("kew.cipher");
        if (cipher != null) {
            properties.put(MQConstants.SSL_CIPHER_SUITE_PROPERTY, cipher);
        }
        return properties;
    }

    static void run(String name, Case body) {
        try {
            MQQueueManager manager = new MQQueueManager("QM1", properties("password"));
            try {
                body.run(manager);
            } finally {
                manager.disconnect();
            }
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

    static MQQueue open(MQQueueManager manager, int more) throws MQException {
        return manager.accessQueue(QUEUE, MQConstants.MQOO_INPUT_SHARED | MQConstants.MQOO_OUTPUT | more);
    }

    static MQMessage text(String text) throws Exception {
        MQMessage message = new MQMessage();
        message.format = MQConstants.MQFMT_STRING;
        message.writeString(text);
        return message;
    }

    static String textOf(MQMessage message) throws Exception {
        return message.readStringOfByteLength(message.getMessageLength());
    }

    static void drain(MQQueue queue) throws MQException {
        try {
            while (true) {
                queue.get(new MQMessage(), new MQGetMessageOptions());
            }
        } catch (MQException empty) {
            check(empty.reasonCode == MQConstants.MQRC_NO_MSG_AVAILABLE, "reason " + empty.reasonCode);
        }
    }

    static void putAndGet(MQQueueManager manager) throws Exception {
        MQQueue queue = open(manager, 0);
        drain(queue);
        MQMessage put = text("hello");
        queue.put(put, new MQPutMessageOptions());
        MQMessage got = new MQMessage();
        queue.get(got, new MQGetMessageOptions());
        check(textOf(got).equals("hello"), "text");
        check(Arrays.equals(got.messageId, put.messageId), "message id");
        check(got.userId.trim().equals("app"), "user " + got.userId);
        queue.close();
    }

    static void getWithWait(MQQueueManager manager) throws Exception {
        MQQueue queue = open(manager, 0);
        Thread later = new Thread(() -> run("  put by another connection", other -> {
            Thread.sleep(300);
            open(other, 0).put(text("later"), new MQPutMessageOptions());
        }));
        later.start();
        MQGetMessageOptions options = new MQGetMessageOptions();
        options.options = MQConstants.MQGMO_WAIT | MQConstants.MQGMO_FAIL_IF_QUIESCING;
        options.waitInterval = 10000;
        MQMessage got = new MQMessage();
        queue.get(got, options);
        check(textOf(got).equals("later"), "text");
        later.join();
        queue.close();
    }

    static void noMessage(MQQueueManager manager) throws Exception {
        MQQueue queue = open(manager, 0);
        MQGetMessageOptions options = new MQGetMessageOptions();
        for (int wait : new int[] {0, 200}) {
            options.options = wait > 0 ? MQConstants.MQGMO_WAIT : 0;
            options.waitInterval = wait;
            try {
                queue.get(new MQMessage(), options);
                throw new AssertionError("a message");
            } catch (MQException empty) {
                check(empty.reasonCode == MQConstants.MQRC_NO_MSG_AVAILABLE, "reason " + empty.reasonCode);
            }
        }
        queue.close();
    }

    static void browse(MQQueueManager manager) throws Exception {
        MQQueue queue = open(manager, MQConstants.MQOO_BROWSE);
        for (int number = 0; number < 3; number++) {
            queue.put(text("b" + number), new MQPutMessageOptions());
        }
        MQGetMessageOptions options = new MQGetMessageOptions();
        options.options = MQConstants.MQGMO_BROWSE_FIRST;
        for (int number = 0; number < 3; number++) {
            MQMessage seen = new MQMessage();
            queue.get(seen, options);
            check(textOf(seen).equals("b" + number), "text " + number);
            options.options = MQConstants.MQGMO_BROWSE_NEXT;
        }
        options.options = MQConstants.MQGMO_MSG_UNDER_CURSOR;
        MQMessage last = new MQMessage();
        queue.get(last, options);
        check(textOf(last).equals("b2"), "under the cursor");
        drain(queue);
        queue.close();
    }

    static void commit(MQQueueManager manager) throws Exception {
        MQQueue queue = open(manager, 0);
        MQPutMessageOptions put = new MQPutMessageOptions();
        put.options = MQConstants.MQPMO_SYNCPOINT;
        queue.put(text("kept"), put);
        manager.commit();
        MQGetMessageOptions get = new MQGetMessageOptions();
        get.options = MQConstants.MQGMO_SYNCPOINT;
        MQMessage got = new MQMessage();
        queue.get(got, get);
        check(textOf(got).equals("kept"), "text");
        manager.commit();
        drain(queue);
        queue.close();
    }

    static void backOut(MQQueueManager manager) throws Exception {
        MQQueue queue = open(manager, 0);
        MQPutMessageOptions put = new MQPutMessageOptions();
        put.options = MQConstants.MQPMO_SYNCPOINT;
        queue.put(text("never"), put);
        manager.backout();
        queue.put(text("again"), new MQPutMessageOptions());
        MQGetMessageOptions get = new MQGetMessageOptions();
        get.options = MQConstants.MQGMO_SYNCPOINT;
        for (int time = 0; time < 2; time++) {
            MQMessage got = new MQMessage();
            queue.get(got, get);
            check(textOf(got).equals("again"), "text");
            check(got.backoutCount == time, "backout count " + got.backoutCount);
            if (time == 0) {
                manager.backout();
            }
        }
        manager.commit();
        queue.close();
    }

    static void requestReply(MQQueueManager manager) throws Exception {
        MQQueue queue = open(manager, 0);
        MQQueue replies = manager.accessQueue("SYSTEM.DEFAULT.MODEL.QUEUE", MQConstants.MQOO_INPUT_EXCLUSIVE, null, "REPLY.*", null);
        MQMessage request = text("question");
        request.messageType = MQConstants.MQMT_REQUEST;
        request.replyToQueueName = replies.getName().trim();
        queue.put(request, new MQPutMessageOptions());
        MQMessage seen = new MQMessage();
        queue.get(seen, new MQGetMessageOptions());
        MQMessage answer = text("answer");
        answer.correlationId = seen.messageId;
        MQQueue to = manager.accessQueue(seen.replyToQueueName.trim(), MQConstants.MQOO_OUTPUT);
        to.put(text("for somebody else"), new MQPutMessageOptions());
        to.put(answer, new MQPutMessageOptions());
        MQMessage reply = new MQMessage();
        reply.correlationId = request.messageId;
        MQGetMessageOptions options = new MQGetMessageOptions();
        options.matchOptions = MQConstants.MQMO_MATCH_CORREL_ID;
        options.options = MQConstants.MQGMO_WAIT;
        options.waitInterval = 5000;
        replies.get(reply, options);
        check(textOf(reply).equals("answer"), "text");
        to.close();
        replies.close();
        queue.close();
    }

    static void longMessage(MQQueueManager manager) throws Exception {
        MQQueue queue = open(manager, 0);
        byte[] data = new byte[3_000_000];
        for (int index = 0; index < data.length; index++) {
            data[index] = (byte) (index * 31 >> 3);
        }
        MQMessage put = new MQMessage();
        put.write(data);
        queue.put(put, new MQPutMessageOptions());
        MQMessage got = new MQMessage();
        queue.get(got, new MQGetMessageOptions());
        byte[] back = new byte[got.getMessageLength()];
        got.readFully(back);
        check(Arrays.equals(data, back), "bytes");
        queue.close();
    }

    /** Runs of every byte, of one and of many, as compression has to keep them. */
    static void everyByte(MQQueueManager manager) throws Exception {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (int value = 0; value < 256; value++) {
            for (int length : new int[] {1, 2, 3, 4, 5, 300}) {
                byte[] run = new byte[length];
                Arrays.fill(run, (byte) value);
                all.write(run);
            }
        }
        MQQueue queue = manager.accessQueue(QUEUE, MQConstants.MQOO_OUTPUT | MQConstants.MQOO_INPUT_SHARED);
        MQMessage sent = new MQMessage();
        sent.write(all.toByteArray());
        queue.put(sent);
        MQMessage got = new MQMessage();
        queue.get(got);
        byte[] back = new byte[got.getMessageLength()];
        got.readFully(back);
        check(Arrays.equals(back, all.toByteArray()), "it came back changed");
        queue.close();
    }

    static void persistent(MQQueueManager manager) throws Exception {
        MQQueue queue = open(manager, 0);
        for (int number = 0; number < 20; number++) {
            MQMessage put = text("p" + number);
            put.persistence = MQConstants.MQPER_PERSISTENT;
            queue.put(put, new MQPutMessageOptions());
        }
        for (int number = 0; number < 20; number++) {
            MQMessage got = new MQMessage();
            queue.get(got, new MQGetMessageOptions());
            check(textOf(got).equals("p" + number), "order " + number);
            check(got.persistence == MQConstants.MQPER_PERSISTENT, "persistence");
        }
        queue.close();
    }

    static void truncated(MQQueueManager manager) throws Exception {
        MQQueue queue = open(manager, 0);
        queue.put(text("0123456789"), new MQPutMessageOptions());
        try {
            queue.get(new MQMessage(), new MQGetMessageOptions(), 4);
            throw new AssertionError("not cut");
        } catch (MQException cut) {
            check(cut.reasonCode == MQConstants.MQRC_TRUNCATED_MSG_FAILED, "reason " + cut.reasonCode);
        }
        MQGetMessageOptions options = new MQGetMessageOptions();
        options.options = MQConstants.MQGMO_ACCEPT_TRUNCATED_MSG;
        MQMessage part = new MQMessage();
        try {
            queue.get(part, options, 4);
            throw new AssertionError("no warning");
        } catch (MQException cut) {
            check(cut.reasonCode == MQConstants.MQRC_TRUNCATED_MSG_ACCEPTED, "reason " + cut.reasonCode);
            check(part.getTotalMessageLength() == 10, "whole length " + part.getTotalMessageLength());
        }
        noMessage(manager);
        queue.close();
    }

    static void inquireAndSet(MQQueueManager manager) throws Exception {
        check(manager.getAttributeString(MQConstants.MQCA_Q_MGR_NAME, 48).trim().equals("QM1"), "name");
        check(manager.getCommandLevel() > 900, "command level");
        MQQueue queue = open(manager, MQConstants.MQOO_INQUIRE | MQConstants.MQOO_SET);
        queue.put(text("counted"), new MQPutMessageOptions());
        check(queue.getCurrentDepth() == 1, "depth " + queue.getCurrentDepth());
        queue.setInhibitGet(MQConstants.MQQA_GET_INHIBITED);
        try {
            queue.get(new MQMessage(), new MQGetMessageOptions());
            throw new AssertionError("not inhibited");
        } catch (MQException inhibited) {
            check(inhibited.reasonCode == MQConstants.MQRC_GET_INHIBITED, "reason " + inhibited.reasonCode);
        }
        queue.setInhibitGet(MQConstants.MQQA_GET_ALLOWED);
        queue.setTriggerData("what to do");
        check(queue.getTriggerData().trim().equals("what to do"), "trigger data " + queue.getTriggerData());
        queue.setTriggerData("");
        drain(queue);
        queue.close();
    }

    static void unknownQueue(MQQueueManager manager) throws Exception {
        try {
            manager.accessQueue("NO.SUCH.QUEUE", MQConstants.MQOO_OUTPUT);
            throw new AssertionError("opened");
        } catch (MQException unknown) {
            check(unknown.reasonCode == MQConstants.MQRC_UNKNOWN_OBJECT_NAME, "reason " + unknown.reasonCode);
        }
    }

    static void putOne(MQQueueManager manager) throws Exception {
        manager.put(QUEUE, text("one"), new MQPutMessageOptions());
        MQQueue queue = open(manager, 0);
        MQMessage got = new MQMessage();
        queue.get(got, new MQGetMessageOptions());
        check(textOf(got).equals("one"), "text");
        queue.close();
    }

    static void asynchronousPut(MQQueueManager manager) throws Exception {
        MQQueue queue = open(manager, 0);
        MQPutMessageOptions options = new MQPutMessageOptions();
        options.options = MQConstants.MQPMO_ASYNC_RESPONSE;
        for (int number = 0; number < 50; number++) {
            queue.put(text("a" + number), options);
        }
        int successes = manager.getAsyncStatus().putSuccessCount;
        check(successes == 50 || successes == 0, "successes " + successes);
        for (int number = 0; number < 50; number++) {
            MQMessage got = new MQMessage();
            queue.get(got, new MQGetMessageOptions());
            check(textOf(got).equals("a" + number), "order " + number);
        }
        queue.close();
    }

    static void readAhead(MQQueueManager manager) throws Exception {
        MQQueue out = manager.accessQueue(QUEUE, MQConstants.MQOO_OUTPUT);
        for (int number = 0; number < 200; number++) {
            out.put(text("r" + number), new MQPutMessageOptions());
        }
        MQQueue in = manager.accessQueue(QUEUE, MQConstants.MQOO_INPUT_SHARED | MQConstants.MQOO_READ_AHEAD);
        MQGetMessageOptions options = new MQGetMessageOptions();
        options.options = MQConstants.MQGMO_WAIT | MQConstants.MQGMO_NO_SYNCPOINT;
        options.waitInterval = 5000;
        for (int number = 0; number < 200; number++) {
            MQMessage got = new MQMessage();
            in.get(got, options);
            check(textOf(got).equals("r" + number), "order " + number);
        }
        in.close();
        out.close();
    }

    static void put(MQQueueManager manager, String text, int persistence) throws Exception {
        MQQueue out = manager.accessQueue(QUEUE, MQConstants.MQOO_OUTPUT);
        MQMessage message = text(text);
        message.persistence = persistence;
        out.put(message, new MQPutMessageOptions());
        out.close();
    }

    /** Get a message, waiting for it so many milliseconds: its text, or the word that there is none. */
    static String get(MQQueue queue, int wait) throws Exception {
        MQGetMessageOptions options = new MQGetMessageOptions();
        options.options = MQConstants.MQGMO_NO_SYNCPOINT | (wait != 0 ? MQConstants.MQGMO_WAIT : 0);
        options.waitInterval = wait;
        return get(queue, options);
    }

    static String get(MQQueue queue, MQGetMessageOptions options) throws Exception {
        MQMessage got = new MQMessage();
        try {
            queue.get(got, options);
        } catch (MQException none) {
            check(none.reasonCode == MQConstants.MQRC_NO_MSG_AVAILABLE, "reason " + none.reasonCode);
            return "none";
        }
        return textOf(got);
    }

    static void waitAfterNothing(MQQueueManager manager) throws Exception {
        MQQueue in = manager.accessQueue(QUEUE, MQConstants.MQOO_INPUT_SHARED | MQConstants.MQOO_READ_AHEAD);
        for (int persistence = 0; persistence < 2; persistence++) {
            check(get(in, 0).equals("none"), "a message");
            put(manager, "late" + persistence, persistence);
            check(get(in, MQConstants.MQWI_UNLIMITED).equals("late" + persistence), "text");
        }
        in.close();
    }

    static void persistentReadAhead(MQQueueManager manager) throws Exception {
        put(manager, "first", MQConstants.MQPER_NOT_PERSISTENT);
        put(manager, "second", MQConstants.MQPER_PERSISTENT);
        put(manager, "third", MQConstants.MQPER_PERSISTENT);
        MQQueue in = manager.accessQueue(QUEUE, MQConstants.MQOO_INPUT_SHARED | MQConstants.MQOO_READ_AHEAD);
        check(get(in, MQConstants.MQWI_UNLIMITED).equals("first"), "first");
        check(get(in, MQConstants.MQWI_UNLIMITED).equals("second"), "second");
        in.close(); // what was sent ahead is gone, and nothing persistent was
        MQQueue rest = manager.accessQueue(QUEUE, MQConstants.MQOO_INPUT_SHARED);
        check(get(rest, 0).equals("third"), "third");
        rest.close();
    }

    /** Put numbered persistent messages and others between them, at an uneven pace. */
    static Void putNumbered(int count) throws Exception {
        MQQueueManager manager = new MQQueueManager("QM1", properties("password"));
        Random random = new Random(1);
        for (int number = 0; number < count; ) {
            boolean persistent = random.nextInt(3) > 0;
            put(manager, persistent ? "" + number++ : "passing", persistent ? 1 : 0);
            Thread.sleep(random.nextInt(20) == 0 ? 3 : 0);
        }
        manager.disconnect();
        return null;
    }

    /** A program that gets some messages, closes its queue and opens it again has every persistent one once. */
    static void readAheadLedger(MQQueueManager manager) throws Exception {
        Random random = new Random(2);
        int count = 400, next = 0;
        FutureTask<Void> putter = new FutureTask<>(() -> putNumbered(count));
        new Thread(putter).start();
        while (next < count) {
            MQQueue in = manager.accessQueue(QUEUE, MQConstants.MQOO_INPUT_SHARED | MQConstants.MQOO_READ_AHEAD);
            for (int left = 1 + random.nextInt(40); left > 0 && next < count; left--) {
                String text = get(in, random.nextInt(4) == 0 ? 0 : random.nextInt(2) == 0 ? 1 : MQConstants.MQWI_UNLIMITED);
                if (!text.equals("none") && !text.equals("passing")) {
                    check(text.equals("" + next), text + " came, not " + next);
                    next++;
                }
            }
            in.close();
        }
        putter.get();
        drain(manager.accessQueue(QUEUE, MQConstants.MQOO_INPUT_SHARED));
    }

    /** Two connections, which may share a socket, each used by a thread: replies follow messages of any length. */
    static void atOnce(MQQueueManager manager) throws Exception {
        int count = 500;
        FutureTask<Void> putter = new FutureTask<>(() -> {
            MQQueueManager other = new MQQueueManager("QM1", properties("password"));
            for (int number = 0; number < count; number++) {
                put(other, "x".repeat(number % 7), MQConstants.MQPER_NOT_PERSISTENT);
            }
            other.disconnect();
            return null;
        });
        new Thread(putter).start();
        for (int number = 0; number < count; ) {
            MQQueue in = manager.accessQueue(QUEUE, MQConstants.MQOO_INPUT_SHARED);
            for (int left = 10; left > 0 && number < count; left--) {
                String text = get(in, 0);
                if (!text.equals("none")) {
                    check(text.length() == number++ % 7, "length " + text.length());
                }
            }
            in.close();
        }
        putter.get();
    }

    static void putLogically(MQQueue queue, String text, int flags) throws Exception {
        MQPutMessageOptions options = new MQPutMessageOptions();
        options.options = MQConstants.MQPMO_LOGICAL_ORDER;
        MQMessage message = text(text);
        message.messageFlags = flags;
        queue.put(message, options);
    }

    /** Get a message: its text, or none, and what is said of its place in a group and among segments. */
    static String getLogically(MQQueue queue, int how) throws Exception {
        MQGetMessageOptions options = new MQGetMessageOptions();
        options.options = MQConstants.MQGMO_LOGICAL_ORDER | how;
        String text = get(queue, options);
        return text.equals("none") ? text : text + options.groupStatus + options.segmentStatus + options.segmentation;
    }

    static void groups(MQQueueManager manager) throws Exception {
        MQQueue queue = open(manager, 0);
        int complete = MQConstants.MQGMO_ALL_MSGS_AVAILABLE;
        putLogically(queue, "one", MQConstants.MQMF_MSG_IN_GROUP);
        check(getLogically(queue, complete).equals("none"), "an incomplete group");
        putLogically(queue, "two", MQConstants.MQMF_LAST_MSG_IN_GROUP);
        check(getLogically(queue, complete).equals("oneG  "), "one");
        check(getLogically(queue, complete).equals("twoL  "), "two");
        queue.close();
    }

    static void segments(MQQueueManager manager) throws Exception {
        MQQueue queue = open(manager, 0);
        for (int turn = 0; turn < 2; turn++) {
            putLogically(queue, "one,", MQConstants.MQMF_SEGMENT);
            putLogically(queue, "two", MQConstants.MQMF_LAST_SEGMENT);
        }
        String first = getLogically(queue, 0), second = getLogically(queue, 0);
        check(first.equals("one, S ") && second.equals("two L "), first + "; " + second);
        String whole = getLogically(queue, MQConstants.MQGMO_COMPLETE_MSG);
        check(whole.startsWith("one,two"), "the whole is " + whole);
        queue.close();
    }

    /** A message object that is used again asks for the id of the message before: there is no such in the group. */
    static void notTheNext(MQQueueManager manager) throws Exception {
        MQQueue queue = open(manager, 0);
        putLogically(queue, "one", MQConstants.MQMF_MSG_IN_GROUP);
        putLogically(queue, "two", MQConstants.MQMF_LAST_MSG_IN_GROUP);
        MQGetMessageOptions options = new MQGetMessageOptions();
        options.options = MQConstants.MQGMO_LOGICAL_ORDER;
        MQMessage used = new MQMessage();
        queue.get(used, options);
        try {
            queue.get(used, options);
            throw new AssertionError("got");
        } catch (MQException refused) {
            check(refused.reasonCode == MQConstants.MQRC_MATCH_OPTIONS_ERROR, "reason " + refused.reasonCode);
        }
        check(getLogically(queue, 0).equals("twoL  "), "two");
        queue.close();
    }

    static void publicationReports(MQQueueManager manager) throws Exception {
        MQTopic[] subscribers = new MQTopic[2];
        for (int each = 0; each < subscribers.length; each++) {
            subscribers[each] = manager.accessTopic(
                "dev/reports", "", MQConstants.MQTOPIC_OPEN_AS_SUBSCRIPTION, MQConstants.MQSO_CREATE);
        }
        MQMessage publication = text("news");
        publication.report = MQConstants.MQRO_COA | MQConstants.MQRO_COD;
        publication.replyToQueueName = QUEUE;
        manager.accessTopic("dev/reports", "", MQConstants.MQTOPIC_OPEN_AS_PUBLICATION, MQConstants.MQOO_OUTPUT)
            .put(publication);
        MQQueue reports = open(manager, 0);
        for (int feedback : new int[] {MQConstants.MQFB_COA, MQConstants.MQFB_COD}) {
            for (MQTopic subscriber : subscribers) {
                if (feedback == MQConstants.MQFB_COD) {
                    subscriber.get(new MQMessage());
                    subscriber.close();
                }
                MQMessage report = new MQMessage();
                reports.get(report, new MQGetMessageOptions());
                check(report.feedback == feedback, "feedback " + report.feedback);
            }
        }
        check(get(reports, 0).equals("none"), "another report");
        reports.close();
    }

    static void wrongPassword() {
        try {
            new MQQueueManager("QM1", properties("wrong")).disconnect();
            failures++;
            System.out.println("FAIL wrong password: let in");
        } catch (MQException refused) {
            boolean right = refused.reasonCode == MQConstants.MQRC_NOT_AUTHORIZED;
            failures += right ? 0 : 1;
            System.out.println((right ? "ok   " : "FAIL ") + "wrong password: " + refused.reasonCode);
        }
    }

    static MQDistributionListItem item(String queue) {
        MQDistributionListItem item = new MQDistributionListItem();
        item.queueName = queue;
        return item;
    }

    static String take(MQQueueManager manager, String name, MQMessage got) throws Exception {
        MQQueue queue = manager.accessQueue(name, MQConstants.MQOO_INPUT_SHARED);
        queue.get(got, new MQGetMessageOptions());
        queue.close();
        return textOf(got);
    }

    static void distributionList(MQQueueManager manager) throws Exception {
        MQDistributionListItem[] items = {item("DEV.QUEUE.1"), item("DEV.QUEUE.2"), item("DEV.QUEUE.3")};
        MQDistributionList list = new MQDistributionList(manager, items, MQConstants.MQOO_OUTPUT, null);
        items[1].messageId = "second".getBytes();
        MQPutMessageOptions options = new MQPutMessageOptions();
        options.recordFields = MQConstants.MQPMRF_MSG_ID | MQConstants.MQPMRF_CORREL_ID;
        list.put(text("to all"), options);
        check(options.knownDestCount == 3, "known " + options.knownDestCount);
        check(options.invalidDestCount == 0, "invalid " + options.invalidDestCount);
        list.close();
        for (MQDistributionListItem item : items) {
            MQMessage got = new MQMessage();
            check(take(manager, item.queueName, got).equals("to all"), "text");
            check(Arrays.equals(got.messageId, item.messageId), "message id of " + item.queueName);
        }
        check(new String(items[1].messageId).startsWith("second"), "message id that was given");
    }

    static void partialList(MQQueueManager manager) throws Exception {
        MQDistributionListItem[] items = {item("DEV.QUEUE.1"), item("NO.SUCH.QUEUE"), item("DEV.QUEUE.2")};
        MQDistributionList list = null;
        try {
            list = new MQDistributionList(manager, items, MQConstants.MQOO_OUTPUT, null);
        } catch (MQException warned) {
            check(warned.completionCode == MQConstants.MQCC_WARNING, "completion " + warned.completionCode);
            check(warned.reasonCode == MQConstants.MQRC_MULTIPLE_REASONS, "reason " + warned.reasonCode);
        }
        check(items[0].reasonCode == 0 && items[2].reasonCode == 0, "those that are there");
        check(items[1].reasonCode == MQConstants.MQRC_UNKNOWN_OBJECT_NAME, "reason " + items[1].reasonCode);
    }
}
