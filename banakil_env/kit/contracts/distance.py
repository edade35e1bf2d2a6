"""Counts the cards that a hand lacks for its contract, and the hidden cards that reduce this number.

A network of few layers can hardly compute these counts. It needs them where a card is offered: to take the card, to
call it, or to answer a call. Only natural cards are counted. Runs are chosen one after the other, each time the run of
which the hand has the most cards; sets are chosen from the remaining cards, as in `promise.py`. So in a contract of
both kinds, the number can be too high by one card. A second run is chosen as if the cards of the first could still
come. Where few cards of a suit are hidden, the number can therefore be too low, and a card that helps only once can
count for both.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import lowest, popcount
from banakil_env.core.features import OF_CARDS, PLAIN, Columns
from banakil_env.core.jit import compiled
from banakil_env.kit import table_state as T
from banakil_env.kit.contracts.promise import best_windows, gone_in, held_in, upcard_of, without_run
from banakil_env.kit.contracts.table import ANSWER, CALL
from banakil_env.kit.melds import joker_melds as W
from banakil_env.kit.melds.deadwood import points_in
from banakil_env.kit.melds.fours import melded_by_fours
from banakil_env.kit.melds.places import NUM_PLACES, in_places
from banakil_env.kit.melds.wild_melds import in_faces
from banakil_env.kit.pack52 import NUM_FACES, cards_of, ranks_in
from banakil_env.kit.pack54 import JOKER, NATURALS

LACKS_UNIT, NEARER_UNIT, LOOSE_UNIT, POINTS_UNIT = 2, 10, 10, 50
MOST_LACKING, MOST_CARDS = 16, 108  # upper bounds: cards of any contract, and cards of two packs

_LACKS = f"cards that it lacks for the contract; / {LACKS_UNIT}"
_NEARER = f"hidden cards that bring it nearer to the contract; / {NEARER_UNIT}"
_LOOSE = f"loose cards, in melds of any kind, and once it is down those that the table does not take; / {LOOSE_UNIT}"
_POINTS = f"points of these, the Ace 1 and pictures 10; / {POINTS_UNIT}"


def _of_a_hand(name: str, what: str) -> tuple[Columns, ...]:
    return (
        Columns(f"{name}_lacks", f"{what}: {_LACKS}", 1, PLAIN, highest=MOST_LACKING / LACKS_UNIT),
        Columns(f"{name}_nearer", f"{what}: {_NEARER}", 1, PLAIN, highest=NUM_FACES / NEARER_UNIT),
        Columns(f"{name}_loose", f"{what}: {_LOOSE}", 1, PLAIN, highest=MOST_CARDS / LOOSE_UNIT),
        Columns(f"{name}_points", f"{what}: {_POINTS}", 1, PLAIN, highest=MOST_CARDS * 10 / POINTS_UNIT),
    )


# Two groups of columns by discard, then the columns of the hand, then those of the hand with the upcard on offer.
DISTANCES = (
    Columns("rest_lacks", f"for each discard: {_LACKS}", NUM_FACES, OF_CARDS, highest=MOST_LACKING / LACKS_UNIT),
    Columns("rest_nearer", f"for each discard: {_NEARER}", NUM_FACES, OF_CARDS, highest=NUM_FACES / NEARER_UNIT),
    *_of_a_hand("hand", "the hand"),
    *_of_a_hand("with_upcard", "asked about the upcard, the hand with it"),
    Columns("upcard_helps", "asked about the upcard: it brings the hand nearer, or is in a meld or fits one", 1, PLAIN),
)
_PLAIN = 2 * NUM_FACES  # index of the first column that is not about a discard


@compiled
def lacking(one: int, two: int, hidden: int, sets: int, runs: int, apart: bool) -> Any:
    """The number of cards that a hand lacks for a contract, and the mask of hidden cards that reduce this number.

    Args:
        one: the natural cards held, as a mask.
        two: the natural cards held twice, as a mask.
        hidden: the natural cards of which a copy is hidden, as a mask.
        sets: the number of sets in the contract.
        runs: the number of runs in the contract.
        apart: whether all runs need different suits.
    """
    lacks, nearer = 0, 0
    alive = W.windows_with(in_places(one | hidden), 0) if runs else 0
    for _ in range(runs):
        held, windows = best_windows(one, alive)
        lacks += W.RUN_SIZE - held
        if held < W.RUN_SIZE:
            nearer |= in_faces(windows | windows << 1 | windows << 2 | windows << 3) & ~one
        if held:
            window = lowest(windows)
            one, two = without_run(one, two, window)
            if apart:
                alive &= ~(W.ONE_RUN << window // NUM_PLACES * NUM_PLACES)
    # A rank with n cards gives n // 3 sets, and the remaining cards begin another set.
    ones, twos, fours, eights = W.numbers_by_rank(one, two)
    there = ranks_in(hidden)
    left = sets - popcount(eights | fours | twos & ones) - popcount(eights | fours & twos)
    if left > 0:
        pairs = (eights | fours & ones & ~twos | ~fours & twos & ~ones) & there  # ranks with 2, 5 and 8 cards
        singles = ~eights & (fours & ~(twos ^ ones) | ~fours & ~twos & ones) & there  # ranks with 1, 4 and 7 cards
        of_pairs = min(left, popcount(pairs))
        of_singles = min(left - of_pairs, popcount(singles))
        lacks += of_pairs + 2 * of_singles + 3 * (left - of_pairs - of_singles)
        ranks = pairs
        if left > of_pairs:
            ranks |= singles
        if left > of_pairs + of_singles:
            ranks |= there
        nearer |= cards_of(ranks)
    return lacks, nearer & hidden


@compiled
def write_distances(seen: Any, fits: int, sets: int, runs: int, apart: bool, out: Any, first: int) -> None:
    """Write the columns DISTANCES.

    Args:
        fits: the natural cards that the table accepts from this hand, as a mask.
        sets, runs, apart: see `lacking`; 0 sets and 0 runs once the contract is met.
        out: float32, zero from index `first` on.
    """
    one, two, hidden = held_in(seen, 1), held_in(seen, 2), NATURALS & ~gone_in(seen)
    plain = first + _PLAIN
    lacks, loose = _write_hand(one, two, hidden, fits, sets, runs, apart, out, plain)
    if seen.phase[T.PLAY]:
        cards = one if sets + runs else 0
        while cards:
            face = lowest(cards)
            card = cards & -cards
            cards &= cards - 1
            rest, nearer = lacking(W.first_left(one, two, card, 0), two & ~card, hidden, sets, runs, apart)
            out[first + face] = rest / LACKS_UNIT
            out[first + NUM_FACES + face] = popcount(nearer) / NEARER_UNIT
    elif (seen.phase[T.DRAW] or seen.phase[CALL] or seen.phase[ANSWER]) and seen.pile_size:
        upcard = upcard_of(seen)
        card = 1 << upcard if upcard != JOKER else 0
        with_one, with_two = one | card, two | one & card
        then, then_loose = _write_hand(with_one, with_two, hidden, fits, sets, runs, apart, out, plain + 4)
        helps = upcard == JOKER or then < lacks or then_loose <= loose
        out[plain + 8] = 1 if helps else 0


@compiled
def _write_hand(
    one: int, two: int, hidden: int, fits: int, sets: int, runs: int, apart: bool, out: Any, at: int
) -> Any:
    """Write the four columns of a hand into `out`, from index `at` on; see `lacking` and `write_distances`.

    Returns the number of cards that the hand lacks, and the number of its loose cards.
    """
    lacks, nearer = 0, 0
    if sets + runs:
        lacks, nearer = lacking(one, two, hidden, sets, runs, apart)
    kept, twice = one & ~fits, two & ~fits
    loose = kept & ~melded_by_fours(kept, twice)
    number = popcount(loose) + popcount(loose & twice)
    out[at] = lacks / LACKS_UNIT
    out[at + 1] = popcount(nearer) / NEARER_UNIT
    out[at + 2] = number / LOOSE_UNIT
    out[at + 3] = (points_in(loose) + points_in(loose & twice)) / POINTS_UNIT
    return lacks, number
