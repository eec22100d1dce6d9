/** `workspace-chat.js`: the module for a script tag. The element with its tag defined, and a way to the doctor. */
import type { DoctorOptions, DoctorReport } from '../products/doctor/doctor.ts';

export * from '../index.ts';

/** Examines the installation on this page, prints what was found in the console, and answers it. */
export const doctor = async (options: DoctorOptions): Promise<DoctorReport> => {
  const { runDoctor } = await import('../products/doctor/doctor.ts');
  return runDoctor(options);
};
