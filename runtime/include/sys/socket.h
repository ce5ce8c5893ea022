/* The system's socket.h has no pairs of sockets: runtime/descriptors.c. */
#include_next <sys/socket.h>

#ifndef FAULTLINE_SYS_SOCKET_H
#define FAULTLINE_SYS_SOCKET_H

#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0x4000
#endif

#ifdef __cplusplus
extern "C" {
#endif

int socketpair(int, int, int, int[2]);

#ifdef __cplusplus
}
#endif

#endif
