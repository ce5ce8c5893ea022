#ifndef TOTAL_H
#define TOTAL_H

void total_add(int);
int total_now(void);

#endif
