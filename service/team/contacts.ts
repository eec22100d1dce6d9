/** Erases a person's data: the operation for a request under data protection law. */
import { and, eq } from 'drizzle-orm';
import { eraseContact } from '../contacts/delete-contact.ts';
import { ApiError } from '../core/errors.ts';
import { contacts } from '../db/schema.ts';
import type { Dependencies } from '../http/dependencies.ts';
import { recordChange } from './audit-log.ts';
import type { TeamApp } from './environment.ts';

export const teamContactRoutes = (app: TeamApp, dependencies: Dependencies): void => {
  const { db } = dependencies;
  app.post('/contacts/:id/erase', async (context) => {
    const { workspaceId } = context.var.key;
    await db.transaction(async (tx) => {
      const [contact] = await tx
        .select()
        .from(contacts)
        .where(and(eq(contacts.id, context.req.param('id')), eq(contacts.workspaceId, workspaceId)));
      if (!contact) throw new ApiError('not_found');
      await eraseContact(tx, contact);
      const change = { action: 'contact.erased', target: contact.id };
      await recordChange(tx, context, change, new Date(dependencies.now()));
    });
    return context.body(null, 204);
  });
};
