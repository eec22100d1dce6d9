/** The gallery's scenes of the themes in `brands.css`. */
import { options } from './gallery-blocks.ts';
import { agent, restored, visitor } from './gallery-messages.ts';
import type { Scene } from './gallery-messages.ts';

/** A conversation that shows most properties of a theme. */
const brandScene = (brand: string, title: string, launcher: Scene['launcher']): Scene => ({
  id: `brand-${brand}`,
  title,
  isPanel: true,
  brand: `brand-${brand}`,
  launcher,
  events: (say) => [
    restored([
      visitor(say('When are you open?', 'متى تفتحون؟')),
      agent('a', say('**Saturday to Thursday**, from 10 to 8.', '**من السبت إلى الخميس**، من 10 إلى 8.'), {
        blocks: options(say),
      }),
    ]),
  ],
});

export const brandScenes: Scene[] = [
  brandScene('brutalist', 'Brand: brutalist, always dark', 'icon'),
  brandScene('pastel', 'Brand: soft pastel', 'icon'),
  brandScene('corporate', 'Brand: corporate serif with its own font', 'label'),
];
