"""Finds the events of one action: compares the states before and after it and writes the moved cards into a log.

Both states belong to one deal. Each state holds the place of every card, so the difference shows which cards have
moved. Who saw a card follows from three facts: where the card came from, where it went, and which cards of a hand
everybody knows. Games do not write events themselves.

Every card that the mover puts on the table passes through its hand: a card of the pile that is melded at once is first
taken and then melded. The source of a card that came to a hand is the first that fits of these: the pile, if the pile
has lost it and everybody knows where it is; a meld or an area that has lost it; the stock. Other cards that left the
pile became a new stock.

All functions share one work array `w` of numbers, with one row of FACES cells per quantity. A row is valid only at the
faces of a mask, those that have moved: most actions move one or two faces, and the other cells are neither read nor
cleared.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core import history as H
from banakil_env.core.bits import lowest
from banakil_env.core.events import (
    ADD,
    DEAL,
    DISCARD,
    DRAW,
    KINDS,
    LAY,
    MELD,
    NAME,
    PICK_UP,
    RESHUFFLE,
    SAY,
    SHOW,
    SWAP,
    TAKE,
)
from banakil_env.core.hooks import hook
from banakil_env.core.jit import compiled, inlined
from banakil_env.core.scratch import scratch
from banakil_env.kit.table_places import (
    AREAS,
    FACES,
    FEET,
    MOST_CHANGED,
    changed_places,
    common_face,
    count_place,
    faces_changed,
    faces_learned,
    held,
    held_publicly,
    is_new_meld,
    name_of_place,
)

(_ADDED, _DISCARDED, _DREW, _LAID, _MELDED, _NAMED, _PICKED, _RENEWED, _SAID, _SHOWN, _SWAPPED, _DID_TAKE, _DEALT) = (
    KINDS.index(kind) for kind in (ADD, DISCARD, DRAW, LAY, MELD, NAME, PICK_UP, RESHUFFLE, SAY, SHOW, SWAP, TAKE, DEAL)
)
_EVERYBODY = H.EVERYBODY

# Offsets in the work array `w` of `write_moves`, int64: rows of card counts by face, then a few numbers.
_FLOW = 0  # by seat: cards that came to the hand
_KNOWN = _FLOW + H.MAX_SEATS * FACES  # by seat: cards that everybody has come to know in the hand
_TAKEN = _KNOWN + H.MAX_SEATS * FACES  # by seat: cards that came from the pile
_CAME, _LOST = _TAKEN + H.MAX_SEATS * FACES, _TAKEN + (H.MAX_SEATS + 1) * FACES  # cards that the pile gained and lost
_PUT = _LOST + FACES  # cards that the mover has put on the table
_ASIDE = _PUT + FACES  # cards that went from an area to the pile
_BACK = _ASIDE + FACES  # cards that melds gave back to the mover
_GAIN = _BACK + FACES  # by changed place: cards that it has gained; negative if lost
_PLACES = _GAIN + MOST_CHANGED * FACES  # the numbers of the changed places
_CHANGED, _LATER, _ASIDE_AT = (_PLACES + MOST_CHANGED + i for i in range(3))
_WORK = _PLACES + MOST_CHANGED + 3

MOST_IN_PILE = 512
_MANY = 1 << 10
_NEAR = 8  # how many cards count as near the top of a pile

# Bits of `told_of`: flags, and from bit SAID_AT on the action's first word, 1 + its index in `core.history.WORDS`.
MOVES, TAKES, DRAWS, SWAPS, NAMES = (1 << i for i in range(5))
SAID_AT = 8


@hook
def told_of(state: Any, action: int) -> int:
    """The content of an action's text: the flags MOVES, TAKES, DRAWS, SWAPS and NAMES as bits, and the first word.

    The bits from SAID_AT on are 1 + the index of the word in `core.history.WORDS`.
    """
    raise NotImplementedError


@hook
def named_by(state: Any, action: int) -> int:
    """The cards that the text of an action names, at most two, one byte per card: 1 + the face."""
    raise NotImplementedError


@hook
def knows_mover(state: Any, seat: int) -> bool:
    """Whether a seat can see which seat is to move."""
    return True


@compiled
def say(state: Any, action: int, names: int, log: Any) -> None:
    """Log that an action was announced, to the seats that can see who moves.

    Args:
        names: nonzero if the action names a card that is melded only in a later action.
    """
    told, seats, noticed = told_of(state, action), state.num_players, 0
    for seat in range(seats):
        noticed |= (1 if knows_mover(state, seat) else 0) << seat
    everybody, mover, cards = noticed == (1 << seats) - 1, state.seat, 0
    verb = _NAMED if names else _SAID
    if names:
        cards = named_by(state, action)
    number = (1 if cards & 0xFF else 0) + (1 if cards >> 8 else 0)
    while True:
        H.add_said(log, verb, mover, told >> SAID_AT, cards & 0xFF, number, noticed, everybody)
        cards >>= 8
        number -= 1
        if not cards:
            return


@compiled
def note(
    state: Any, log: Any, verb: int, seat: int, w: Any, row: int, faces: int, source: int, target: int, seen: int
) -> None:
    """Log an event with `w[row + face]` cards of each face of the mask `faces`; without cards, log nothing.

    Args:
        verb, seat, source, target, seen: see `core.history.row_of`.
    """
    number = _number_in(w, row, faces)
    if number == 0:
        return
    word = H.row_of(verb, seat, source, target, seen, log[H.TURNS])
    if verb in (_RENEWED, _DEALT) and not log[H.LISTED]:
        H.add_row(log, word | min(number, 0xFF) << H.NUMBER_AT)
        return
    while faces:
        face = lowest(faces)
        faces &= faces - 1
        card = common_face(state, face) + 1 if w[row + face] > 0 else 0
        for _ in range(w[row + face]):
            H.add_row(log, word | min(number, 0xFF) << H.NUMBER_AT | card << H.CARD_AT)
            number -= 1


# What has changed ----------------------------------------------------------------------------------------------------


@inlined
def _differ(before: Any, after: Any, count: int) -> int:
    """0 if the lowest `count` cards of two piles are the same. The loop has no branches, so that it is vectorized."""
    differ = 0
    for i in range(count):
        differ |= before.pile[i] ^ after.pile[i]
    return differ


@compiled
def _same_below(before: Any, after: Any, count: int) -> int:
    """The number of equal cards at the bottom of two piles, at most `count`. Most changes are near the top."""
    near_top = max(0, count - _NEAR)
    first = 0 if _differ(before, after, near_top) else near_top
    while first < count and before.pile[first] == after.pile[first]:
        first += 1
    return first


@compiled
def _compare_piles(before: Any, after: Any, w: Any) -> int:
    """Write into `w` how many cards of each face the pile has gained and lost. Returns the mask of these faces."""
    old, new, faces = before.pile_size, after.pile_size, 0
    first = _same_below(before, after, min(old, new))  # cards at the bottom that did not move
    for i in range(first, old):
        faces |= 1 << before.pile[i]
    for i in range(first, new):
        faces |= 1 << after.pile[i]
    _clear(w, _CAME, faces)
    _clear(w, _LOST, faces)
    for i in range(first, old):
        w[_LOST + before.pile[i]] += 1
    for i in range(first, new):
        face = after.pile[i]
        if w[_LOST + face] > 0:
            w[_LOST + face] -= 1
        else:
            w[_CAME + face] += 1
    return faces


@compiled
def _clear(w: Any, row: int, faces: int) -> None:
    """Set the cells of these faces in a row to zero."""
    while faces:
        w[row + lowest(faces)] = 0
        faces &= faces - 1


@compiled
def _compare_places(before: Any, after: Any, w: Any) -> int:
    """Write into `w` the changed places and how many cards of each face they have gained (negative: lost).

    Returns the mask of these faces.
    """
    places, counts, faces = scratch(MOST_CHANGED), scratch(FACES), 0
    changed = changed_places(before, after, places)
    w[_CHANGED] = changed
    for k in range(changed):
        w[_PLACES + k] = places[k]
        for face in range(FACES):
            counts[face] = 0
        count_place(after, places[k], counts, 1)
        count_place(before, places[k], counts, -1)
        for face in range(FACES):
            w[_GAIN + FACES * k + face] = counts[face]
            faces |= (1 if counts[face] else 0) << face
    return faces


@compiled
def _compare_hands(before: Any, after: Any, w: Any, faces: int) -> int:
    """Write into `w`, for each hand and face, the number of cards gained (negative: lost), and how many became known.

    Returns `faces` together with the faces for which one of these numbers is not zero.
    """
    left = faces
    for seat in range(after.num_players):
        left |= faces_changed(before, after, seat) | faces_learned(before, after, seat)
    while left:
        face, bit = lowest(left), left & -left
        left &= left - 1
        for seat in range(after.num_players):
            at = FACES * seat + face
            w[_FLOW + at] = held(after, seat, face) - held(before, seat, face)
            w[_KNOWN + at] = max(0, held_publicly(after, seat, face) - held_publicly(before, seat, face))
            w[_TAKEN + at] = 0
            faces |= bit if w[_FLOW + at] | w[_KNOWN + at] else 0
    return faces


@compiled
def _set_aside(w: Any, faces: int) -> None:
    """Write into `w` which cards went from an area to the pile, and the seat that picks up its cards (such as a foot).

    Cards go from an area to the pile when several are discarded one by one.
    """
    w[_LATER] = w[_ASIDE_AT] = -1
    for k in range(w[_CHANGED]):
        left, lost = faces, 0
        while left and w[_PLACES + k] >= AREAS:
            face = lowest(left)
            left &= left - 1
            came = w[_CAME + face] if w[_PLACES + k] < FEET else 0  # cards of a foot go to a hand, not to the pile
            moved = max(0, min(-w[_GAIN + FACES * k + face], came))
            w[_ASIDE + face] = moved
            w[_GAIN + FACES * k + face] += moved
            w[_CAME + face] -= moved
            lost |= 1 if w[_GAIN + FACES * k + face] < 0 else 0
            if moved:
                w[_ASIDE_AT] = k
        if lost and w[_PLACES + k] >= FEET and w[_LATER] < 0:
            w[_LATER] = w[_PLACES + k] - FEET


@compiled
def _balance(w: Any, mover: int, faces: int) -> int:
    """Count in `w` the cards that came to the mover's hand, including those that it put on the table in this action.

    A seat that picks up its cards, such as a foot, does so last and can then lay some of these cards down. Returns the
    number of cards that were put on the table.
    """
    later, first, left = w[_LATER], _FLOW + FACES * mover, faces
    while left:
        face = lowest(left)
        left &= left - 1
        put, laid, back = w[_CAME + face], 0, 0
        for k in range(w[_CHANGED]):
            gain = w[_GAIN + FACES * k + face]
            if w[_PLACES + k] < AREAS:
                put += max(0, gain)
                back += max(0, -gain)
            else:
                laid += max(0, gain)
        if later < 0:
            put += laid
        else:
            w[_FLOW + FACES * later + face] += laid
        w[_PUT + face], w[_BACK + face] = put, back
        w[first + face] += put
    left, number = faces, 0
    while left:
        face = lowest(left)
        left &= left - 1
        if w[first + face] < 0:
            _rename(w, first, face, faces)
    left = faces
    while left:
        number += w[_PUT + lowest(left)]
        left &= left - 1
    return number


@compiled
def _rename(w: Any, first: int, missing: int, faces: int) -> None:
    """Count a card that changes its face, such as a wild card laid as an Ace, under its old face.

    The hand has lost a card of the face `missing`, and no place has gained one. `first` is the row of the hand in `w`.
    """
    for k in range(w[_CHANGED]):
        left = faces
        while left and w[_PLACES + k] < AREAS:
            other = lowest(left)
            left &= left - 1
            if w[first + missing] < 0 < min(w[first + other], w[_GAIN + FACES * k + other]):
                for row, step in ((_GAIN + FACES * k, 1), (_PUT, 1), (first, -1)):
                    w[row + missing] += step
                    w[row + other] -= step


@compiled
def _number_in(w: Any, row: int, faces: int) -> int:
    """The number of cards of some faces that a row of the work array counts; negative cells count as 0."""
    number = 0
    while faces:
        number += max(0, w[row + lowest(faces)])
        faces &= faces - 1
    return number


# The sources of cards that came to a hand ---------------------------------------------------------------------------


@compiled
def _claim_from_pile(w: Any, seat: int, mover: int, faces: int) -> None:
    """Attribute cards of a hand to the pile: those that the pile has lost and whose place everybody knows."""
    first = FACES * seat
    while faces:
        face = lowest(faces)
        faces &= faces - 1
        sure = w[_KNOWN + first + face] + (w[_PUT + face] if seat == mover else 0)
        taken = max(0, min(min(w[_FLOW + first + face], w[_LOST + face]), sure))
        w[_TAKEN + first + face] = taken
        w[_FLOW + first + face] -= taken
        w[_KNOWN + first + face] = max(0, w[_KNOWN + first + face] - taken)
        w[_LOST + face] -= taken


@compiled
def _claim(w: Any, seat: int, row: int, sign: int, faces: int) -> None:
    """Attribute cards of a hand to a place that has lost them.

    Args:
        row: the row of the place in `w`; overwritten with the number of attributed cards of each face.
        sign: 1 or -1; `sign` times the row is the number of cards that the place has lost.
    """
    first = FACES * seat
    while faces:
        face = lowest(faces)
        faces &= faces - 1
        came = max(0, min(w[_FLOW + first + face], sign * w[row + face]))
        w[_FLOW + first + face] -= came
        w[_KNOWN + first + face] = max(0, w[_KNOWN + first + face] - came)
        w[row + face] = came


# The events ----------------------------------------------------------------------------------------------------------


@compiled
def _take(log: Any, before: Any, w: Any, seat: int, faces: int) -> None:
    """Log the cards that a seat has taken from the pile, starting with the top card."""
    taken = _TAKEN + FACES * seat
    number = _number_in(w, taken, faces)
    if number == 0:
        return
    cards, at, found = scratch(MOST_IN_PILE), before.pile_size, 0
    while found < number:
        at -= 1
        face = before.pile[at]
        if faces >> face & 1 and w[taken + face] > 0:
            w[taken + face] -= 1
            cards[found] = face
            found += 1
    word = H.row_of(_DID_TAKE, seat, H.AT_PILE, H.AT_HAND, _EVERYBODY, log[H.TURNS])
    while found:
        H.add_row(log, word | min(found, 0xFF) << H.NUMBER_AT | common_face(before, cards[found - 1]) + 1 << H.CARD_AT)
        found -= 1


@compiled
def _draw(after: Any, log: Any, w: Any, seat: int, faces: int) -> None:
    """Log the remaining cards that came to a hand as drawn from the stock.

    Everybody saw them if everybody knows that they are in the hand.
    """
    first, left, hidden = FACES * seat, faces, 0
    while left:
        face = lowest(left)
        left &= left - 1
        hidden |= 1 if max(0, w[_FLOW + first + face]) > w[_KNOWN + first + face] else 0
    left = faces
    while left and not hidden:
        face = lowest(left)
        left &= left - 1
        w[_KNOWN + first + face] -= max(0, w[_FLOW + first + face])
    seen = 1 << seat if hidden else _EVERYBODY
    note(after, log, _DREW, seat, w, _FLOW + first, faces, H.AT_STOCK, H.AT_HAND, seen)


@compiled
def _put_down(log: Any, before: Any, after: Any, w: Any, seat: int, swapped: bool, faces: int) -> int:
    """Log the cards that a seat has put on melds and on the pile.

    Returns the number of the first such place in a history (`name_of_place`), or 0.
    """
    first = 0
    for k in range(w[_CHANGED]):
        place, row = w[_PLACES + k], _GAIN + FACES * k
        if 0 <= place < AREAS and _number_in(w, row, faces):
            verb = _MELDED if is_new_meld(before, place) else _SWAPPED if swapped else _ADDED
            target = name_of_place(after, place)
            first = first if first else target
            note(after, log, verb, seat, w, row, faces, H.AT_HAND, target, _EVERYBODY)
    if not first and _number_in(w, _CAME, faces):
        first = H.AT_PILE
    note(after, log, _DISCARDED, seat, w, _CAME, faces, H.AT_HAND, H.AT_PILE, _EVERYBODY)
    return first


@compiled
def _lay_down(log: Any, after: Any, w: Any, seat: int, faces: int) -> None:
    """Log the cards that a seat has put on areas of the table."""
    for k in range(w[_CHANGED]):
        place = w[_PLACES + k]
        if place >= AREAS:
            target = name_of_place(after, place)
            note(after, log, _LAID, seat, w, _GAIN + FACES * k, faces, H.AT_HAND, target, _EVERYBODY)


@compiled
def _claim_from_areas(w: Any, seat: int, faces: int) -> None:
    """Attribute cards of a hand to areas that have lost them. In `w`, the number n of such an area becomes -1 - n."""
    for k in range(w[_CHANGED]):
        if w[_PLACES + k] >= AREAS and _loses(w, _GAIN + FACES * k, faces):
            _claim(w, seat, _GAIN + FACES * k, -1, faces)
            w[_PLACES + k] = -1 - w[_PLACES + k]


@compiled
def _loses(w: Any, row: int, faces: int) -> bool:
    while faces:
        if w[row + lowest(faces)] < 0:
            return True
        faces &= faces - 1
    return False


@compiled
def _pick_up(log: Any, after: Any, w: Any, seat: int, faces: int) -> None:
    """Log the cards that a seat has picked up from areas."""
    for k in range(w[_CHANGED]):
        if w[_PLACES + k] < 0:
            source = name_of_place(after, -1 - w[_PLACES + k])
            note(after, log, _PICKED, seat, w, _GAIN + FACES * k, faces, source, H.AT_HAND, 1 << seat)


# Fast path: most actions draw, discard or lay cards at one place ----------------------------------------------------


@compiled
def _pile_growth(before: Any, after: Any) -> int:
    """The number of cards added on top of the pile (-1, 0 or 1); _MANY if the pile has changed otherwise."""
    old, new = before.pile_size, after.pile_size
    if abs(new - old) > 1:
        return _MANY
    return _MANY if _differ(before, after, min(old, new)) else (new - old)


@compiled
def _gains(before: Any, after: Any, place: int, mover: int, gone: int) -> bool:
    """Whether a place has gained exactly the cards of the faces `gone` that the mover's hand has lost."""
    counts, number = scratch(FACES), 0
    for face in range(FACES):
        counts[face] = 0
    count_place(after, place, counts, 1)
    count_place(before, place, counts, -1)
    while gone:
        face = lowest(gone)
        gone &= gone - 1
        lost = held(before, mover, face) - held(after, mover, face)
        number += lost
        counts[face] -= lost
    differ = 0
    for face in range(FACES):
        differ |= counts[face]
    return differ == 0 and number > 0


@compiled
def _write_simple_move(before: Any, action: int, after: Any, told: int, others: bool, log: Any) -> bool:
    """Log a simple action: a draw, a discard, taking the top card, or laying cards at one place.

    Returns False and logs nothing if the action did anything else. The events are the same as those of the general code
    in `write_moves`, which takes much longer.

    Args:
        told: the result of `told_of`.
        others: the result of `others_changed`.
    """
    growth, mover, places = _pile_growth(before, after), before.seat, scratch(MOST_CHANGED)
    if others or _others_learned(before, after):
        return False
    changed = changed_places(before, after, places)
    if changed == 1 and growth:
        return _write_draw_after_laying(before, after, places[0], told, log)
    if growth == _MANY or changed > 1 or (changed and told & SWAPS):
        return False
    left = faces_changed(before, after, mover) | faces_learned(before, after, mover)
    came, gone, learned, number = 0, 0, 0, 0
    while left:
        face, bit = lowest(left), left & -left
        left &= left - 1
        more = held(after, mover, face) - held(before, mover, face)
        came |= bit if more > 0 else 0
        gone |= bit if more < 0 else 0
        learned |= bit if held_publicly(after, mover, face) > held_publicly(before, mover, face) else 0
        number += abs(more)
    if changed:
        if came or learned or not _gains(before, after, places[0], mover, gone):
            return False
        verb = _LAID if places[0] >= AREAS else _MELDED if is_new_meld(before, places[0]) else _ADDED
        moved, source, target, seen = gone, H.AT_HAND, name_of_place(after, places[0]), _EVERYBODY
    elif growth == 0:
        if gone or learned or number == 0:
            return False
        moved, verb, source, target, seen = came, _DREW, H.AT_STOCK, H.AT_HAND, 1 << mover
    elif growth > 0:
        moved, verb, source, target, seen = gone, _DISCARDED, H.AT_HAND, H.AT_PILE, _EVERYBODY
        if number != 1 or gone != 1 << after.pile[after.pile_size - 1] or learned:
            return False
    else:
        moved, verb, source, target, seen = came, _DID_TAKE, H.AT_PILE, H.AT_HAND, _EVERYBODY
        if number != 1 or came != 1 << before.pile[before.pile_size - 1] or learned != came or told & DRAWS:
            return False
    if not told & MOVES:
        say(before, action, 0, log)
    word = H.row_of(verb, mover, source, target, seen, log[H.TURNS])
    while moved:
        face = lowest(moved)
        moved &= moved - 1
        for _ in range(abs(held(after, mover, face) - held(before, mover, face))):
            H.add_row(log, word | number << H.NUMBER_AT | common_face(after, face) + 1 << H.CARD_AT)
            number -= 1
    return True


@compiled
def _others_learned(before: Any, after: Any) -> bool:
    """Whether everybody has learned cards of a hand other than the mover's."""
    changed = 0
    for seat in range(after.num_players):
        if seat != before.seat:
            changed |= faces_learned(before, after, seat)
    return changed != 0


@compiled
def _write_draw_after_laying(before: Any, after: Any, place: int, told: int, log: Any) -> bool:
    """Log an action that draws or takes one card and moves the cards laid at a place to the pile.

    Returns False and logs nothing if the action did anything else. `told` is the result of `told_of`.
    """
    mover, laid, number, faces = before.seat, scratch(FACES), 0, 0
    came = faces_changed(before, after, mover)
    if not told & (DRAWS | TAKES) or came == 0 or came & (came - 1):
        return False
    face, taken = lowest(came), 0 if told & DRAWS else 1
    learned = faces_learned(before, after, mover)
    if held(after, mover, face) - held(before, mover, face) != 1 or not AREAS <= place < FEET:
        return False
    if learned & ~came or held_publicly(after, mover, face) - held_publicly(before, mover, face) != taken:
        return False
    for other in range(FACES):
        laid[other] = 0
    count_place(before, place, laid, 1)
    count_place(after, place, laid, -1)
    for other in range(FACES):
        if laid[other] < 0:
            return False
        number += laid[other]
        faces |= 1 << other if laid[other] else 0
    if number == 0 or laid[face] or not _went_to_pile(before, after, laid, number, face if taken else -1):
        return False
    turn, everybody = log[H.TURNS], _EVERYBODY
    word = H.row_of(_DREW, mover, H.AT_STOCK, H.AT_HAND, 1 << mover, turn)
    if taken:
        word = H.row_of(_DID_TAKE, mover, H.AT_PILE, H.AT_HAND, everybody, turn)
    H.add_row(log, word | 1 << H.NUMBER_AT | common_face(after, face) + 1 << H.CARD_AT)
    note(after, log, _DISCARDED, mover, laid, 0, faces, name_of_place(after, place), H.AT_PILE, everybody)
    return True


@compiled
def _went_to_pile(before: Any, after: Any, laid: Any, number: int, taken: int) -> bool:
    """Whether `number` laid cards came on top of the pile, and the pile lost at most one other card.

    Args:
        laid: the number of laid cards by face.
        taken: the face of the card that the pile has lost; -1 if it has lost none.
    """
    old, new = before.pile_size, after.pile_size
    kept = old - (1 if taken >= 0 else 0)
    if new != kept + number:
        return False
    first = _same_below(before, after, kept)  # where the taken card was
    if taken >= 0 and before.pile[first] != taken:
        return False
    for i in range(first, kept):
        if before.pile[i + (1 if taken >= 0 else 0)] != after.pile[i]:
            return False
    for i in range(kept, new):
        same = 0
        for j in range(kept, new):
            same += 1 if after.pile[j] == after.pile[i] else 0
        if same != laid[after.pile[i]]:
            return False
    return True


@compiled
def others_changed(before: Any, after: Any) -> bool:
    """Whether the hand of a seat other than the mover has changed, which is rare."""
    changed = 0
    for seat in range(after.num_players):
        if seat != before.seat:
            changed |= faces_changed(before, after, seat)
    return changed != 0


@compiled
def write_moves(before: Any, action: int, after: Any, others: bool, log: Any) -> None:
    """Log the events of an action, in the order in which they happened.

    Args:
        before: the state before the action.
        after: the state after the action, in the same deal.
        others: the result of `others_changed`.
    """
    told, seats, mover = told_of(before, action), after.num_players, before.seat
    if _write_simple_move(before, action, after, told, others, log):
        return
    w = scratch(_WORK)
    on_pile = _compare_piles(before, after, w)
    faces = _compare_hands(before, after, w, on_pile | _compare_places(before, after, w))
    _clear(w, _CAME, faces & ~on_pile)
    _clear(w, _LOST, faces & ~on_pile)
    _set_aside(w, faces)
    moved = _balance(w, mover, faces)
    for seat in range(seats):
        moved += _number_in(w, _FLOW + FACES * seat, faces)
    if moved == 0:
        say(before, action, told & NAMES, log)
    elif not told & MOVES:
        say(before, action, 0, log)
    _write_cards(before, after, told, w, mover, seats, faces, log)


@compiled
def _write_cards(before: Any, after: Any, told: int, w: Any, mover: int, seats: int, faces: int, log: Any) -> None:
    """Log the cards that moved: those of the mover first, then those of the other seats in order; see `write_moves`."""
    later, taker = w[_LATER], mover if w[_LATER] < 0 else w[_LATER]
    if not told & DRAWS:
        _claim_from_pile(w, mover, mover, faces)
        for seat in range(seats):
            if seat != mover:
                _claim_from_pile(w, seat, mover, faces)
    earned = told & MOVES and not told & TAKES  # the pile is taken after the first meld that entitles to it
    if not earned:
        _take_all(log, before, w, mover, seats, faces)
    _claim(w, mover, _BACK, 1, faces)
    _claim_from_areas(w, taker, faces)
    coming = 0
    for seat in range(seats):
        coming += _number_in(w, _FLOW + FACES * seat, faces)
    too_few = coming > before.stock_size
    if too_few:
        _renew(after, log, w, faces)
    if mover != later:
        _draw(after, log, w, mover, faces)
    for seat in range(seats):
        if seat != mover and seat != later:
            _draw(after, log, w, seat, faces)
    swapped = told & SWAPS or _number_in(w, _BACK, faces)  # a swapped Joker can stay in its meld
    first = _put_down(log, before, after, w, mover, swapped != 0, faces)
    if later < 0:
        _lay_down(log, after, w, mover, faces)
    if w[_ASIDE_AT] >= 0:
        source = name_of_place(after, w[_PLACES + w[_ASIDE_AT]])
        note(after, log, _DISCARDED, mover, w, _ASIDE, faces, source, H.AT_PILE, _EVERYBODY)
    if earned:
        _take_all(log, before, w, mover, seats, faces)
    source = first if first else H.ON_TABLE
    note(after, log, _SWAPPED, mover, w, _BACK, faces, source, H.AT_HAND, _EVERYBODY)
    _pick_up(log, after, w, taker, faces)
    if later >= 0:
        _lay_down(log, after, w, taker, faces)
        _draw(after, log, w, later, faces)
    _show(after, log, w, mover, faces)
    for seat in range(seats):
        if seat != mover:
            _show(after, log, w, seat, faces)
    if not too_few:
        _renew(after, log, w, faces)


@compiled
def _take_all(log: Any, before: Any, w: Any, mover: int, seats: int, faces: int) -> None:
    _take(log, before, w, mover, faces)
    for seat in range(seats):
        if seat != mover:
            _take(log, before, w, seat, faces)


@compiled
def _renew(after: Any, log: Any, w: Any, faces: int) -> None:
    """Log that cards of the pile became a new stock."""
    note(after, log, _RENEWED, -1, w, _LOST, faces, H.AT_PILE, H.AT_STOCK, _EVERYBODY)


@compiled
def _show(after: Any, log: Any, w: Any, seat: int, faces: int) -> None:
    """Log as shown the cards of a hand that everybody has come to know and that stay in the hand."""
    note(after, log, _SHOWN, seat, w, _KNOWN + FACES * seat, faces, 0, 0, _EVERYBODY)
