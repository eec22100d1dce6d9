/** `workspace-chat.js`, the module for a script tag: it defines the tag and exports the doctor. */
import type { DoctorOptions, DoctorReport } from '../products/doctor/doctor.ts';
import { define } from '../workspace-chat/define.ts';

export { WorkspaceChatElement } from '../workspace-chat/workspace-chat.ts';

define();

/** Diagnoses the installation on this page, prints the report in the console, and returns it. */
export const doctor = async (options: DoctorOptions): Promise<DoctorReport> => {
  const { runDoctor } = await import('../products/doctor/doctor.ts');
  return runDoctor(options);
};
