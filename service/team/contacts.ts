/** Exports and erases a person's data: the operations for requests under data protection law. */
import { eraseContact } from '../contacts/erase-contact.ts';
import { exportContact, personalDataOf } from '../contacts/export-contact.ts';
import { findContact } from '../contacts/visible-contacts.ts';
import type { Dependencies } from '../http/dependencies.ts';
import { recordChange } from '../db/audit.ts';
import type { TeamApp } from './environment.ts';

export const teamContactRoutes = (app: TeamApp, dependencies: Dependencies): void => {
  exportContactRoute(app, dependencies);
  eraseContactRoute(app, dependencies);
};

const exportContactRoute = (app: TeamApp, dependencies: Dependencies): void => {
  const { db, now } = dependencies;
  app.post('/contacts/:id/export', async (context) => {
    const contact = await findContact(db, context.var.caller, context.req.param('id'));
    const at = new Date(now());
    const sections = await personalDataOf(dependencies, contact);
    await recordChange(db, context.var.caller, { action: 'contact.exported', target: contact.id }, at);
    return context.body(exportContact(sections, context.var.language, at), 200, {
      'Content-Type': 'application/zip',
      'Content-Disposition': `attachment; filename="${contact.id}.zip"`,
    });
  });
};

const eraseContactRoute = (app: TeamApp, { db, now }: Dependencies): void => {
  app.post('/contacts/:id/erase', async (context) => {
    await db.transaction(async (tx) => {
      const contact = await findContact(tx, context.var.caller, context.req.param('id'));
      await eraseContact(tx, contact);
      await recordChange(tx, context.var.caller, { action: 'contact.erased', target: contact.id }, new Date(now()));
    });
    return context.body(null, 204);
  });
};
