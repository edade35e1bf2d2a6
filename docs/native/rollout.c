/* Steps environments of gin_env.h with random legal actions, as a trainer would step them with a network's.
 * ./rollout ENVIRONMENTS STEPS */
#include <stdio.h>
#include <stdlib.h>
#include "gin_env.h"

int main(int argc, char **argv) {
    const int num_envs = argc > 1 ? atoi(argv[1]) : 64, steps = argc > 2 ? atoi(argv[2]) : 10000;
    Gin *envs = calloc(num_envs, sizeof(Gin));
    unsigned char *observations = calloc(num_envs, OBSERVATION_BYTES), *terminals = calloc(num_envs, 1);
    int *actions = calloc(num_envs, sizeof(int));
    float *rewards = calloc(num_envs, sizeof(float));
    Log log = {0};

    for (int i = 0; i < num_envs; i++) {
        envs[i].observations = observations + i * OBSERVATION_BYTES;
        envs[i].actions = actions + i;
        envs[i].rewards = rewards + i;
        envs[i].terminals = terminals + i;
        envs[i].seed = i;
        c_reset(envs + i);
    }
    for (int step = 0; step < steps; step++)
        for (int i = 0; i < num_envs; i++) {
            const int8_t *mask = (int8_t *)envs[i].observations + sizeof(banakil_gin_observation);
            int64_t action;
            banakil_generator choice = {.rng = ((uint64_t)step << 32) + i};
            banakil_tables_choose_randomly(mask, &choice, &action, 1, BANAKIL_GIN_NUM_ACTIONS);
            actions[i] = (int)action;
            c_step(envs + i);
        }
    for (int i = 0; i < num_envs; i++) {
        log.score += envs[i].log.score;
        log.length += envs[i].log.length;
        log.n += envs[i].log.n;
    }
    printf("%.0f episodes of %.2f decisions, %+.3f points each\n", log.n, log.length / log.n, log.score / log.n);
    return 0;
}
