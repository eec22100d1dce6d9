/** The types of the rows that several folders work with. */
import type {
  actionCalls,
  actions,
  agents,
  contacts,
  conversations,
  leadFields,
  leads,
  messages,
  sources,
  tickets,
} from './schema.ts';

export type Agent = typeof agents.$inferSelect;
export type Conversation = typeof conversations.$inferSelect;
export type StoredMessage = typeof messages.$inferSelect;
export type Contact = typeof contacts.$inferSelect;
export type Lead = typeof leads.$inferSelect;
export type LeadField = typeof leadFields.$inferSelect;
export type Ticket = typeof tickets.$inferSelect;
export type Source = typeof sources.$inferSelect;
/** A source as lists read it: see `sourceColumns`. */
export type ListedSource = Omit<Source, 'content' | 'items'>;
export type StoredAction = typeof actions.$inferSelect;
export type StoredCall = typeof actionCalls.$inferSelect;
