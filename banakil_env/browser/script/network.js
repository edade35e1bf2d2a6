// The network of all games as a player: `agents/family_network.py` in JavaScript, for one decision at a time.
//
// It reads an observation in the layout that is common to all games, which the module of a game writes, and scores the
// legal actions by what they are. The page brings its weights along; without them there is no such player.

const MOST = 4; // numbers of the table and the rules are cut off here
const EPSILON = 1e-5; // of the layer norm

let network = null;

/** Make the network of its description and its weights, numbers of 16 bits. */
export function openNetwork(about, content) {
  const halves = new DataView(content.buffer, content.byteOffset);
  const weights = {};
  for (const [name, { begin, size }] of Object.entries(about.tensors)) {
    weights[name] = Float32Array.from({ length: size }, (_, place) => ofHalf(halves.getUint16(begin + 2 * place, true)));
  }
  network = { ...about, weights };
}

export function hasNetwork() {
  return network !== null;
}

function ofHalf(bits) {
  const sign = bits >> 15 ? -1 : 1;
  const [exponent, fraction] = [bits >> 10 & 31, bits & 1023];
  if (exponent === 0) return sign * 2 ** -24 * fraction;
  return sign * 2 ** (exponent - 15) * (1 + fraction / 1024);
}

/** The likeliest legal action; of equal ones the first. `moves`: what each action of the game is (`network.py`). */
export function likeliest(seen, moves) {
  const { faces, table } = read(seen);
  let [best, highest] = [-1, -Infinity];
  for (const action of seen.legal) {
    const logit = score(faces, table, moves[action], seen);
    if (logit > highest) [best, highest] = [action, logit];
  }
  return best;
}

/** The logits of the legal actions, in their order. */
export function logitsOf(seen, moves) {
  const { faces, table } = read(seen);
  return seen.legal.map((action) => score(faces, table, moves[action], seen));
}

/** The product of a layer's weights with numbers, and its bias if it has one. */
function layer(name, numbers) {
  const { [`${name}.weight`]: weight, [`${name}.bias`]: bias } = network.weights;
  const width = numbers.length;
  const made = new Float64Array(weight.length / width);
  for (let row = 0; row < made.length; row++) {
    let sum = bias ? bias[row] : 0;
    for (let column = 0, at = row * width; column < width; column++, at++) {
      if (numbers[column]) sum += weight[at] * numbers[column];
    }
    made[row] = sum;
  }
  return made;
}

const positive = (numbers) => numbers.map((number) => Math.max(number, 0));

function added(...all) {
  return all[0].map((_, place) => all.reduce((sum, each) => sum + each[place], 0));
}

/** What the network makes of the faces and of the table. */
function read({ cards, melds, table, rules }) {
  const { suits, ranks, booksAt, pooled, meldColumns, owners, weights } = network;
  const width = weights.rank.length / (ranks + 1);
  const joker = suits * ranks;
  const channels = cards.length / (joker + 1);
  const channelsOf = (face) => cards.subarray(face * channels, (face + 1) * channels);
  const said = positive(layer("said", Float64Array.from([...table, ...rules], (number) => Math.min(Math.max(number, -MOST), MOST))));
  const told = layer("told", said);
  const books = rules[booksAt];
  const first = Array.from({ length: joker + 1 }, (_, face) => {
    const rank = face === joker ? ranks : face % ranks;
    const suit = Math.floor(face / ranks);
    return positive(layer("face", channelsOf(face)).map((number, place) => number + told[place] + weights.rank[rank * width + place]
      + (face === joker ? 0 : books * weights.suit[suit * width + place])));
  });
  const mates = Array.from({ length: ranks }, (_, rank) => layer("mates", added(...Array.from({ length: suits }, (__, suit) => first[suit * ranks + rank]))));
  const faces = first.map((own, face) => {
    if (face === joker) return added(own, positive(layer("own", own)));
    const [suit, rank] = [Math.floor(face / ranks), face % ranks];
    const near = [1, ranks - 1].map((step) => first[suit * ranks + (rank + step) % ranks]); // the King's other neighbour is the Ace
    return added(own, positive(added(layer("own", own), layer("near", added(...near)), mates[rank])));
  });
  const summed = (counts) => {
    const sum = new Float64Array(width);
    faces.forEach((own, face) => {
      if (counts(face)) for (let place = 0; place < width; place++) sum[place] += counts(face) * own[place];
    });
    return sum;
  };
  const meldSum = new Float64Array(width);
  for (let at = 0; at < melds.length; at += network.meldWidth) {
    const present = melds.subarray(at, at + owners).reduce((sum, number) => sum + number, 0);
    if (present) {
      const own = positive(layer("meld", meldColumns.map((column) => melds[at + column])));
      for (let place = 0; place < width; place++) meldSum[place] += present * own[place];
    }
  }
  const mean = summed(() => 1 / faces.length);
  const together = layer("pooled", Float64Array.from([said, ...pooled.map((channel) => summed((face) => channelsOf(face)[channel])), mean, meldSum]
    .flatMap((part) => [...part])));
  const level = positive(leveled(together));
  return { faces, table: added(level, positive(layer("deep", level))) };
}

/** The layer norm of the table. */
function leveled(numbers) {
  const { "level.weight": weight, "level.bias": bias } = network.weights;
  const mean = numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
  const spread = Math.sqrt(numbers.reduce((sum, number) => sum + (number - mean) ** 2, 0) / numbers.length + EPSILON);
  return numbers.map((number, place) => (number - mean) / spread * weight[place] + bias[place]);
}

/** The logit of an action. */
function score(faces, table, { plain, named, standsFor, meld, depth }, seen) {
  const { plainWidth, meldColumns, meldWidth } = network;
  const numbers = new Float64Array(plainWidth + meldColumns.length);
  for (const [column, value] of plain) numbers[column] = value;
  if (meld >= 0) meldColumns.forEach((column, place) => { numbers[plainWidth + place] = seen.melds[meld * meldWidth + column]; });
  const onPile = depth ? faceAt(seen.cards, depth) : -1;
  const cards = onPile < 0 ? named : [...named, [onPile, 1]];
  const parts = [layer("plain", numbers), layer("asked", table), layer("named", sumOf(faces, cards)), layer("stood_for", sumOf(faces, standsFor))];
  const x = positive(added(...parts));
  const weigh = layer("weigh", table);
  return x.reduce((sum, number, place) => sum + number * weigh[place], 0) / x.length;
}

function sumOf(faces, named) {
  const sum = new Float64Array(faces[0].length);
  for (const [face, count] of named) for (let place = 0; place < sum.length; place++) sum[place] += count * faces[face][place];
  return sum;
}

/** The face at a depth of the pile, where it is known; the last one of those that claim it. */
function faceAt(cards, depth) {
  const channels = cards.length / (network.suits * network.ranks + 1);
  for (let face = network.suits * network.ranks; face >= 0; face--) {
    if (Math.round(cards[face * channels + network.depthAt] * network.depthsUnit) === depth) return face;
  }
  return -1;
}
