/** `workspace-chat/doctor`: finds out why a chat does not work on this page. */
import { strings } from '../locale/en.ts';
import { runDoctor, type DoctorOptions, type DoctorReport } from '../products/doctor/doctor.ts';

export type { DoctorOptions, DoctorReport, Finding } from '../products/doctor/doctor.ts';

/**
 * Diagnoses a chat on this page, prints the report in the console, and returns it. No conversation starts unless `ask` is
 * set, requests go only to `baseUrl`, and a key of the wrong kind is not sent.
 *
 * @param chat A `<workspace-chat>` element, or its settings.
 * @example
 * const { isGood, findings } = await diagnose(document.querySelector('workspace-chat')!);
 */
export const diagnose = (chat: DoctorOptions): Promise<DoctorReport> => runDoctor(chat, async () => strings);
