/* A SAT solver of the plainest kind, for small formulas, on any system.

   solver CNF          prints the answer and ends with 10 or 20
   solver idle FILE    starts a copy of itself that writes to FILE for ever, and waits for it */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _WIN32
#include <windows.h>
#define pause_a_little() Sleep(50)
#else
#include <unistd.h>
#define pause_a_little() usleep(50000)
#endif

static int variables, clauses, *lits, used;
static signed char *value;

/* 1 where all clauses hold, 0 where one cannot, -1 where some are open. */
static int propagate(int *trail, int *length)
{
    for (;;) {
        int changed = 0, all = 1;
        for (int at = 0; at < used; at++) {
            int holds = 0, open = 0, last = 0;
            for (; lits[at]; at++) {
                int lit = lits[at], said = value[abs(lit)];
                if (said == 0)
                    open++, last = lit;
                else if ((said > 0) == (lit > 0))
                    holds = 1;
            }
            if (holds)
                continue;
            if (open == 0)
                return 0;
            all = 0;
            if (open == 1) {
                value[abs(last)] = last > 0 ? 1 : -1;
                trail[(*length)++] = abs(last);
                changed = 1;
            }
        }
        if (!changed)
            return all ? 1 : -1;
    }
}

static int solve(void)
{
    int length = 0, *trail = malloc(sizeof(int) * (variables + 1));
    int found = propagate(trail, &length);
    for (int variable = 1; found < 0 && variable <= variables; variable++) {
        if (value[variable])
            continue;
        found = 0;
        for (int sign = 1; !found && sign >= -1; sign -= 2) {
            value[variable] = (signed char)sign;
            found = solve();
        }
        if (!found)
            value[variable] = 0;
    }
    while (!found && length)
        value[trail[--length]] = 0;
    free(trail);
    return found != 0;
}

/* Starts a copy of this program and never ends; the copy writes. */
static void idle(char **words)
{
    int is_copy = !strcmp(words[1], "idle-copy");
    if (!is_copy) {
#ifdef _WIN32
        char line[2048];
        STARTUPINFOA start = { .cb = sizeof start };
        PROCESS_INFORMATION process;
        snprintf(line, sizeof line, "\"%s\" idle-copy \"%s\"", words[0], words[2]);
        CreateProcessA(NULL, line, NULL, NULL, FALSE, 0, NULL, NULL, &start, &process);
#else
        is_copy = fork() == 0;
#endif
    }
    for (;;) {
        FILE *file = is_copy ? fopen(words[2], "a") : NULL;
        if (file)
            fputc('.', file), fclose(file);
        pause_a_little();
    }
}

int main(int count, char **words)
{
    if (count >= 3 && !strncmp(words[1], "idle", 4))
        idle(words);
    FILE *file = count == 2 ? fopen(words[1], "r") : NULL;
    char word[64];
    int size = 1 << 16;
    if (!file)
        return 1;
    lits = malloc(sizeof(int) * size);
    while (fscanf(file, "%63s", word) == 1) {
        if (!strcmp(word, "c")) {
            for (int c = 0; c != EOF && c != '\n';)
                c = fgetc(file);
        } else if (!strcmp(word, "p")) {
            if (fscanf(file, " cnf %d %d", &variables, &clauses) != 2)
                return 1;
        } else {
            if (used == size)
                lits = realloc(lits, sizeof(int) * (size *= 2));
            lits[used++] = atoi(word);
        }
    }
    value = calloc(variables + 1, 1);
    if (!solve()) {
        puts("s UNSATISFIABLE");
        return 20;
    }
    puts("s SATISFIABLE");
    for (int variable = 1; variable <= variables; variable++)
        printf("v %d\n", value[variable] < 0 ? -variable : variable);
    puts("v 0");
    return 10;
}
