/* A match of gin between two compiled players: every deal is played twice, with the seats exchanged.
 * ./match [DEALS] [FIRST SEED] */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include "banakil_gin.h"

/* The margin of seat 0 in a round of these players. */
static double play(uint64_t seed, const int64_t *players) {
    banakil_gin_state state = BANAKIL_GIN_TABLE_2P;
    banakil_gin_observation seen;
    int8_t mask[BANAKIL_GIN_NUM_ACTIONS];
    double margins[BANAKIL_GIN_MAX_SEATS];
    banakil_generator dice;
    uint64_t bits = seed;
    int64_t seat, action;

    banakil_gin_tables_start_many(&state, &seed, &seat, 1);
    while (seat >= 0) {
        banakil_gin_tables_observe_one(&state, seat, &seen, mask);
        banakil_gin_players_decide_many(players[seat], &seen, mask, &bits, &dice, &action, 1);
        seat = banakil_gin_tables_apply_one(&state, action); /* an illegal action would be BANAKIL_ILLEGAL */
    }
    banakil_gin_tables_end_one(&state, BANAKIL_MARGIN, margins, BANAKIL_GIN_MAX_SEATS);
    return margins[0];
}

int main(int argc, char **argv) {
    const int64_t there[] = {BANAKIL_GIN_GREEDY, BANAKIL_GIN_EXPERT}, back[] = {BANAKIL_GIN_EXPERT, BANAKIL_GIN_GREEDY};
    const uint64_t deals = argc > 1 ? strtoull(argv[1], NULL, 10) : 1000;
    const uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 10) : 0;
    double ahead = 0;

    for (uint64_t deal = 0; deal < deals; deal++)
        ahead += (play(first + deal, there) - play(first + deal, back)) / 2;
    printf("greedy is %+.3f points per deal ahead of expert in %" PRIu64 " deals\n", ahead / deals, deals);
    return 0;
}
