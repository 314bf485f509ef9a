/* Programs that cost next to nothing, so that a queue manager is measured and not its programs; each is a thread.

   programs WARM SECONDS: the standard input has a line for each program,

       ROLE DESCRIPTOR WINDOW ANSWERED PUT ASK AGAIN CONSUMED COMMIT

   whose socket is connected and whose queues are open already; ANSWERED is 0 where nobody answers its puts. The last five
   are the segments that it says, in hexadecimal, or - where it has none. ASK is the first REQUEST_MSGS of a handle and
   AGAIN those after it; CONSUMED tells how many messages that were sent ahead are in the unit of work. Only what must
   differ from call to call is written over. "begin" is said once all have worked for WARM seconds, and after SECONDS more
   how many units were done in how many seconds; then units under way are finished. What is not as it should be, or does
   not come, ends it with an error. Integers are little-endian, as the queue manager has them. */
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { MOST_PROGRAMS = 256, ROOM = 1 << 21, ID = 24, UNIT = 50, MOST_AHEAD = 1000, PATIENCE = 30 };
/* Places in a segment: of any, of a call, of MQPUT and its reply, of NOTIFICATION, of REQUEST_MSGS, of
   ASYNC_MESSAGE. */
enum { LENGTH = 4, KIND = 17, BODY = 36 };
enum { COMPLETION = BODY + 4, REASON = BODY + 8 };
enum { DESCRIPTOR = BODY + 16, DESCRIPTOR_SIZE = 364, PUT_DATA = DESCRIPTOR + DESCRIPTOR_SIZE + 152 + 4 };
enum { VALUE = BODY + 12 };
enum { RECEIVED = BODY + 8, LAST_INDEX = BODY + 36, SELECTION = BODY + 40, WANTED_ID = BODY + 64 };
enum { INDEX = BODY + 12, DATA_LENGTH = BODY + 16, WARNING = BODY + 24, NAME_LENGTH = BODY + 54 };
enum { MESSAGE_ID = 48, CORRELATION_ID = 72, CHARGE = 364 };
enum { TAKEN = 0, ASYNC_MESSAGE = 0x0D, PUT_REPLY = 0x96, COMMIT_REPLY = 0x9A };

struct said {
    unsigned char *bytes;
    size_t size;
};

struct program {
    char role[16];
    int descriptor;
    uint32_t window; /* bytes that may be sent ahead of what was taken; 1 for one message at a time */
    int answered;
    struct said put, ask, again, consumed, commit;
    uint32_t received, index; /* bytes since the last request, and the number of the last message */
    uint32_t unsettled;       /* messages that the queue manager has not been told of */
    uint16_t selection;
    int asked;
    unsigned char *room; /* of which what came begins at `taken` and ends at `held` */
    size_t taken, held;
    _Atomic uint64_t done;
    pthread_t thread;
};

struct message {
    const unsigned char *descriptor, *data;
    size_t size;
};

static struct program programs[MOST_PROGRAMS];
static int count;
static atomic_int ending;
static _Atomic uint64_t sent, arrived; /* one way */

static void fail(const struct program *p, const char *format, ...) {
    va_list more;
    va_start(more, format);
    fprintf(stderr, "%s: ", p->role);
    vfprintf(stderr, format, more);
    fputc('\n', stderr);
    exit(1);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

static uint32_t little(const unsigned char *at) { return at[0] | at[1] << 8 | at[2] << 16 | (uint32_t)at[3] << 24; }
static uint32_t big(const unsigned char *at) { return (uint32_t)at[0] << 24 | at[1] << 16 | at[2] << 8 | at[3]; }

static void put_little(unsigned char *at, uint32_t value, int size) {
    for (int i = 0; i < size; i++) at[i] = value >> 8 * i;
}

static void say_with(struct program *p, const struct said *what, int flags) {
    for (size_t at = 0; at < what->size;) {
        ssize_t gone = send(p->descriptor, what->bytes + at, what->size - at, MSG_NOSIGNAL | flags);
        if (gone < 0) fail(p, "send: %m");
        at += gone;
    }
}

static void say(struct program *p, const struct said *what) { say_with(p, what, 0); }

/* Read what came, or wait for it; whether there was anything. */
static int read_more(struct program *p, int flags) {
    if (p->taken == p->held) p->taken = p->held = 0;
    if (p->held == ROOM) {
        memmove(p->room, p->room + p->taken, p->held - p->taken);
        p->held -= p->taken;
        p->taken = 0;
        if (p->held == ROOM) fail(p, "more is sent ahead than was asked for");
    }
    ssize_t came = recv(p->descriptor, p->room + p->held, ROOM - p->held, flags);
    if (came < 0 && flags && errno == EAGAIN) return 0;
    if (came < 0) fail(p, "nothing came: %m");
    if (came == 0) fail(p, "the queue manager has closed the connection");
    p->held += came;
    return 1;
}

/* The whole segment that begins so many bytes after what was taken, or NULL. */
static unsigned char *whole_segment(const struct program *p, size_t after) {
    size_t there = p->held - p->taken - after;
    unsigned char *segment = p->room + p->taken + after;
    return there >= BODY && there >= big(segment + LENGTH) ? segment : NULL;
}

/* The same, once it is here; it stays where it is until more is read. */
static unsigned char *segment_at(struct program *p, size_t after) {
    for (;;) {
        unsigned char *segment = whole_segment(p, after);
        if (segment) return segment;
        read_more(p, 0);
    }
}

/* Whether the next segment is here already; replies that were heard before their turn are none. */
static int at_hand(struct program *p) {
    do {
        const unsigned char *segment;
        while ((segment = whole_segment(p, 0)) && segment[KIND] == TAKEN) p->taken += big(segment + LENGTH);
        if (segment) return 1;
    } while (read_more(p, MSG_DONTWAIT));
    return 0;
}

static void check(struct program *p, const unsigned char *segment, int kind) {
    if (segment[KIND] != kind) fail(p, "a segment of type 0x%02X came, not 0x%02X", segment[KIND], kind);
    if (kind != ASYNC_MESSAGE && little(segment + COMPLETION)) fail(p, "reason %u", little(segment + REASON));
}

/* The next segment, which must be of this kind. */
static unsigned char *hear(struct program *p, int kind) {
    unsigned char *segment;
    do {
        segment = segment_at(p, 0);
        p->taken += big(segment + LENGTH);
    } while (segment[KIND] == TAKEN);
    check(p, segment, kind);
    return segment;
}

/* Wait for a reply, behind messages that are sent ahead and stay for later. */
static void hear_behind_messages(struct program *p, int kind) {
    size_t after = 0;
    unsigned char *segment = segment_at(p, after);
    while (segment[KIND] == ASYNC_MESSAGE || segment[KIND] == TAKEN)
        segment = segment_at(p, after += big(segment + LENGTH));
    check(p, segment, kind);
    segment[KIND] = TAKEN;
}

/* Before a call that goes with it in one write. */
static void settle(struct program *p) {
    if (!p->consumed.size || !p->unsettled) return;
    put_little(p->consumed.bytes + VALUE, p->unsettled, 4);
    say_with(p, &p->consumed, MSG_MORE);
    p->unsettled = 0;
}

static void ask(struct program *p) {
    settle(p);
    struct said *request = p->asked ? &p->again : &p->ask;
    put_little(request->bytes + RECEIVED, p->received, 4);
    put_little(request->bytes + LAST_INDEX, p->index, 4);
    if (request->size > SELECTION) put_little(request->bytes + SELECTION, ++p->selection, 2);
    say(p, request);
    p->asked = 1;
    p->received = 0;
}

static struct message take(struct program *p) {
    unsigned char *segment = hear(p, ASYNC_MESSAGE);
    if (little(segment + WARNING)) fail(p, "reason %u", little(segment + WARNING));
    p->index = little(segment + INDEX);
    unsigned name = segment[NAME_LENGTH];
    struct message message = {.size = little(segment + DATA_LENGTH)};
    message.descriptor = segment + NAME_LENGTH + 1 + name + (-(3 + name) & 3);
    message.data = message.descriptor + DESCRIPTOR_SIZE;
    p->received += CHARGE + message.size;
    p->unsettled++;
    return message;
}

static void commit(struct program *p) {
    if (!p->commit.size) return;
    settle(p);
    say(p, &p->commit);
    hear_behind_messages(p, COMMIT_REPLY);
}

/* Whoever puts a request without an answer knows no message id: he gives it a correlation id himself. */
static void request(struct program *p) {
    const size_t size = p->put.size - PUT_DATA;
    uint64_t number = (uint64_t)p->descriptor << 40;
    while (!ending) {
        unsigned char id[ID] = {0};
        number++;
        memcpy(p->put.bytes + PUT_DATA, &number, sizeof number);
        if (p->answered) {
            say(p, &p->put);
            memcpy(id, hear(p, PUT_REPLY) + DESCRIPTOR + MESSAGE_ID, ID);
        } else {
            memcpy(id, &number, sizeof number);
            memcpy(p->put.bytes + DESCRIPTOR + CORRELATION_ID, id, ID);
            say(p, &p->put);
        }
        memcpy((p->asked ? p->again : p->ask).bytes + WANTED_ID, id, ID);
        ask(p);
        struct message reply = take(p);
        if (memcmp(reply.descriptor + CORRELATION_ID, id, ID)) fail(p, "a reply to another request");
        if (reply.size != size || memcmp(reply.data, p->put.bytes + PUT_DATA, size)) fail(p, "another body");
        p->done++;
    }
}

/* Whoever waits for no answers takes what is at hand into one unit of work. */
static void respond(struct program *p) {
    static const unsigned char none[ID];
    for (int unit = 0;;) {
        if (!p->asked || p->window == 1 || p->received * 2 >= p->window) ask(p);
        struct message asked = take(p);
        if (asked.size != p->put.size - PUT_DATA) fail(p, "a request of %zu bytes", asked.size);
        int passes = memcmp(asked.descriptor + CORRELATION_ID, none, ID) != 0;
        const unsigned char *id = asked.descriptor + (passes ? CORRELATION_ID : MESSAGE_ID);
        memcpy(p->put.bytes + DESCRIPTOR + CORRELATION_ID, id, ID);
        memcpy(p->put.bytes + PUT_DATA, asked.data, asked.size);
        say(p, &p->put);
        if (p->answered) hear(p, PUT_REPLY);
        if (!p->answered && ++unit < UNIT && at_hand(p)) continue;
        commit(p);
        unit = 0;
    }
}

/* Messages one way carry their number and, the last one, that it is the last. */
static void put(struct program *p) {
    for (int last = 0; !last;) {
        while (sent - arrived > MOST_AHEAD) usleep(100);
        last = ending;
        for (int i = 0; i < UNIT; i++) {
            uint64_t marks[2] = {++sent, last && i == UNIT - 1};
            memcpy(p->put.bytes + PUT_DATA, marks, sizeof marks);
            say(p, &p->put);
        }
        commit(p);
    }
}

static void get(struct program *p) {
    for (int last = 0; !last;) {
        if (!p->asked || p->window == 1 || p->received * 2 >= p->window) ask(p);
        struct message message = take(p);
        uint64_t marks[2], number = arrived + 1;
        memcpy(marks, message.data, sizeof marks);
        if (marks[0] != number) fail(p, "message %lu came after %lu", (long)marks[0], (long)number - 1);
        last = marks[1];
        arrived = number;
        if (number % UNIT == 0) commit(p);
        p->done++;
    }
}

static void echo(struct program *p) {
    while (!ending) {
        say(p, &p->put);
        while (p->held - p->taken < p->put.size) read_more(p, 0);
        if (memcmp(p->room + p->taken, p->put.bytes, p->put.size)) fail(p, "another body");
        p->taken += p->put.size;
        p->done++;
    }
}

static const struct {
    const char *name;
    void (*work)(struct program *);
    int ends; /* by itself, once it is told */
} roles[] = {{"requester", request, 1}, {"responder", respond, 0}, {"putter", put, 1}, {"getter", get, 1}, {"echo", echo, 1}};
enum { ROLES = sizeof roles / sizeof *roles };

static int role_of(const struct program *p) {
    for (int i = 0; i < ROLES; i++)
        if (!strcmp(roles[i].name, p->role)) return i;
    fail(p, "no such role");
    return -1;
}

static void *work(void *program) {
    roles[role_of(program)].work(program);
    return NULL;
}

static struct said decoded(const char *text) {
    struct said what = {NULL, *text == '-' ? 0 : strlen(text) / 2};
    what.bytes = malloc(what.size + 1);
    for (size_t i = 0; i < what.size; i++) sscanf(text + 2 * i, "%2hhx", what.bytes + i);
    return what;
}

static int read_program(struct program *p) {
    char *segments[5];
    int fields = scanf("%15s %d %u %d %ms %ms %ms %ms %ms", p->role, &p->descriptor, &p->window, &p->answered,
                       &segments[0], &segments[1], &segments[2], &segments[3], &segments[4]);
    if (fields == EOF) return 0;
    if (fields != 9) fail(p, "a line that cannot be read");
    struct said *all[] = {&p->put, &p->ask, &p->again, &p->consumed, &p->commit};
    for (int i = 0; i < 5; i++) {
        *all[i] = decoded(segments[i]);
        free(segments[i]);
    }
    struct timeval patience = {PATIENCE, 0};
    if (setsockopt(p->descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience)) fail(p, "setsockopt: %m");
    p->room = malloc(ROOM);
    return 1;
}

static uint64_t total(void) {
    uint64_t units = 0;
    for (int i = 0; i < count; i++) units += programs[i].done;
    return units;
}

int main(int arguments, char **argument) {
    if (arguments != 3) {
        fprintf(stderr, "programs WARM SECONDS\n");
        return 2;
    }
    while (count < MOST_PROGRAMS && read_program(&programs[count])) count++;
    for (int i = 0; i < count; i++)
        if (pthread_create(&programs[i].thread, NULL, work, &programs[i])) fail(&programs[i], "no thread");
    usleep(atof(argument[1]) * 1e6);
    uint64_t before = total();
    double begun = now();
    puts("begin");
    fflush(stdout);
    usleep(atof(argument[2]) * 1e6);
    printf("%lu %f\n", (unsigned long)(total() - before), now() - begun);
    fflush(stdout);
    ending = 1;
    for (int i = 0; i < count; i++)
        if (roles[role_of(&programs[i])].ends) pthread_join(programs[i].thread, NULL);
    return 0;
}
