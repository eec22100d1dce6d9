/** `workspace-chat.js`, the module for a script tag: it defines the tag and exports the doctor. */
import type { DoctorOptions, DoctorReport } from '../products/doctor/doctor.ts';
import { define } from '../workspace-chat/define.ts';
import { doctorFile, textFiles } from '../workspace-chat/files.ts';

export { WorkspaceChatElement } from '../workspace-chat/workspace-chat.ts';

define();

/** Diagnoses the installation on this page, prints the report in the console, and returns it. */
export const doctor = async (options: DoctorOptions): Promise<DoctorReport> => {
  const { runDoctor } = await doctorFile.load();
  return runDoctor(options, () => textFiles.en.load());
};
