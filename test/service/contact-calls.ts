/** Calls of the operations on contacts, for the tests of contacts and of visitors' identities. */
import { eq } from 'drizzle-orm';
import { events } from '../../service/db/schema.ts';
import type { TestService } from './support.ts';

export const contactCalls = (tested: TestService) => {
  let serial = 0;
  return {
    /** Returns an external id that no other test uses. */
    fresh: () => `u${++serial}`,
    save: (body: object) => tested.api('POST', '/contacts', body),
    createdEvents: async (id: string) =>
      (await tested.rows(events, eq(events.type, 'contact.created'))).filter(({ data }) => data['id'] === id),
  };
};
