/** The sound of a new message. It is off until the visitor switches it on, for the browser tab. */
import { tabFlag } from '../chat/storage/tab-flag.ts';

/** Two notes: the frequency in Hz, and the start in seconds. */
const notes = [
  [659.3, 0],
  [880, 0.12],
] as const;
const seconds = 0.5;
const loudness = 0.12;

/** Whether the visitor has switched the sound on. */
export const soundFlag = tabFlag('workspace-chat-sound');

let context: AudioContext | undefined;

/** Plays the sound if it is on. Browsers allow it only after the visitor has interacted with the page. */
export const chime = (): void => {
  if (!soundFlag.get() || !navigator.userActivation.hasBeenActive) return;
  context ??= new AudioContext();
  // A locked phone suspends the context.
  void context.resume();
  for (const [frequency, delay] of notes) {
    const start = context.currentTime + delay;
    const gain = new GainNode(context, { gain: 0 });
    gain.gain.setValueAtTime(loudness, start);
    gain.gain.exponentialRampToValueAtTime(0.001, start + seconds);
    const tone = new OscillatorNode(context, { frequency });
    tone.connect(gain).connect(context.destination);
    tone.start(start);
    tone.stop(start + seconds);
  }
};
