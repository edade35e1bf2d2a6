// Sounds, if they are switched on: a card is laid, and it is one's turn. They are made, not loaded.

let context = null;

export const sounds = () => localStorage.getItem("sound") === "yes";

/** Switch sounds on or off. */
export function setSounds(on) {
  localStorage.setItem("sound", on ? "yes" : "no");
  if (on) tone(660, 0.08);
}

/** A card has been laid. */
export function tap() {
  if (!sounds()) return;
  const audio = ready();
  const noise = audio.createBuffer(1, audio.sampleRate * 0.04, audio.sampleRate);
  const data = noise.getChannelData(0);
  for (let i = 0; i < data.length; i++) data[i] = (Math.random() * 2 - 1) * (1 - i / data.length) ** 3;
  const source = new AudioBufferSourceNode(audio, { buffer: noise });
  source.connect(new BiquadFilterNode(audio, { type: "bandpass", frequency: 1800 })).connect(new GainNode(audio, { gain: 0.5 })).connect(audio.destination);
  source.start();
}

/** It is the player's turn. */
export function turn() {
  if (!sounds()) return;
  tone(523, 0.12);
  setTimeout(() => tone(784, 0.16), 110);
}

function tone(pitch, seconds) {
  const audio = ready();
  const gain = new GainNode(audio, { gain: 0.12 });
  gain.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + seconds);
  const source = new OscillatorNode(audio, { frequency: pitch, type: "triangle" });
  source.connect(gain).connect(audio.destination);
  source.start();
  source.stop(audio.currentTime + seconds);
}

function ready() {
  context ??= new AudioContext();
  return context;
}
