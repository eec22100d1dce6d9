/** Calls of the operations on contacts, for the tests of contacts and of visitors' identities. */
import { eq } from 'drizzle-orm';
import { events } from '../../service/db/schema.ts';
import type { TestService } from './support.ts';

export const contactCalls = (tested: TestService) => {
  const key = tested.secretKey;
  let serial = 0;
  return {
    /** Returns an external id that no other test uses. */
    fresh: () => `u${++serial}`,
    save: (body: object, headers = {}) => tested.call('POST', '/contacts', { key, body, headers }),
    read: async (id: string) => (await tested.call('GET', `/contacts/${id}`, { key })).body,
    createdEvents: async (id: string) =>
      (await tested.service.db.select().from(events).where(eq(events.type, 'contact.created'))).filter(
        ({ data }) => data['id'] === id,
      ),
  };
};
