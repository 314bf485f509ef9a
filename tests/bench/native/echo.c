/* A bare echo: what is the least that an exchange over a socket costs a server on this machine.
   echo DESCRIPTOR: serves the socket that listens there until it is ended. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { EVENTS = 64, ROOM = 65536 };

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static void watch(int poll, int descriptor) {
    struct epoll_event event = {.events = EPOLLIN, .data.fd = descriptor};
    if (epoll_ctl(poll, EPOLL_CTL_ADD, descriptor, &event) < 0) fail("epoll_ctl");
}

static void answer(int descriptor) {
    static char data[ROOM];
    ssize_t came = recv(descriptor, data, sizeof data, 0);
    if (came <= 0 || send(descriptor, data, came, MSG_NOSIGNAL) != came) close(descriptor);
}

int main(int count, char **arguments) {
    if (count != 2) {
        fprintf(stderr, "echo DESCRIPTOR\n");
        return 2;
    }
    int listener = atoi(arguments[1]), poll = epoll_create1(0);
    if (poll < 0) fail("epoll_create1");
    watch(poll, listener);
    for (;;) {
        struct epoll_event events[EVENTS];
        int ready = epoll_wait(poll, events, EVENTS, -1);
        if (ready < 0) fail("epoll_wait");
        for (int i = 0; i < ready; i++) {
            if (events[i].data.fd != listener) {
                answer(events[i].data.fd);
                continue;
            }
            int accepted = accept(listener, NULL, NULL);
            if (accepted < 0) fail("accept");
            watch(poll, accepted);
        }
    }
}
