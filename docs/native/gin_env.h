/* Gin as an environment in PufferLib's shape: the trainer owns the buffers, `c_reset` and `c_step` write into them.
 * The other seat is played by `expert` inside the step. */
#include <string.h>
#include "banakil_gin.h"

typedef struct {
    float score, length, n; /* sums, which the trainer divides by n */
} Log;

typedef struct {
    Log log;
    unsigned char *observations; /* the observation, then the mask: OBSERVATION_BYTES */
    int *actions;                /* one */
    float *rewards;              /* one */
    unsigned char *terminals;    /* one */
    uint64_t seed;
    banakil_gin_state state, last;
    banakil_gin_control control;
    banakil_generator dice;
} Gin;

#define OBSERVATION_BYTES (sizeof(banakil_gin_observation) + BANAKIL_GIN_NUM_ACTIONS)

static void advance(Gin *env, int64_t order, int64_t number) {
    const int64_t opponent = BANAKIL_GIN_EXPERT, row = 0;
    float rewards[BANAKIL_GIN_MAX_SEATS];
    bool terminated, truncated;
    int64_t seat;

    banakil_gin_players_advance(order, BANAKIL_SAME_STEP, &env->state, &env->control, &env->dice, &opponent, &number,
        &row, (banakil_gin_observation *)env->observations,
        (int8_t *)env->observations + sizeof(banakil_gin_observation), rewards, &terminated, &truncated, &seat,
        &env->last, NULL, NULL, NULL, /* no features */
        NULL, NULL, NULL, NULL, NULL, /* no histories */
        1, 1, 1, 0, 0, 0, 0);
    env->rewards[0] = env->control.payoff;
    env->terminals[0] = terminated || truncated;
}

void c_reset(Gin *env) {
    env->state = (banakil_gin_state)BANAKIL_GIN_TABLE_2P;
    env->control = (banakil_gin_control)BANAKIL_GIN_CONTROL;
    env->control.seating = BANAKIL_ROTATING;
    memset(&env->last, 0, sizeof env->last);
    advance(env, BANAKIL_DEAL_FROM_SEED, (int64_t)env->seed);
}

void c_step(Gin *env) {
    advance(env, BANAKIL_ACT, env->actions[0]); /* an illegal action changes nothing: control.refused is 1 */
    if (env->terminals[0]) {
        env->log.score += env->rewards[0];
        env->log.length += env->control.length;
        env->log.n += 1;
    }
}

void c_render(Gin *env) { (void)env; }

void c_close(Gin *env) { (void)env; }
