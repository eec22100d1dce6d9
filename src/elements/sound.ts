/** A short chime for a message that comes unseen. Off until the visitor wants it, and in each tab for itself. */
import { tabFlag } from '../chat/storage/tab-flag.ts';

/** Two notes, in Hz, and when each begins, in seconds. */
const notes = [
  [659.3, 0],
  [880, 0.12],
] as const;
const seconds = 0.5;
const loudness = 0.12;

/** Whether the visitor wants the sound. */
export const soundFlag = tabFlag('workspace-chat-sound');

let context: AudioContext | undefined;

/** Sounds when the visitor wants it, and has touched the page: before that, browsers keep a page silent. */
export const chime = (): void => {
  if (!soundFlag.get() || !navigator.userActivation.hasBeenActive) return;
  context ??= new AudioContext();
  // A phone that was locked has suspended it.
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
