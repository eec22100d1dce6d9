/** What the widget itself uses of the doctor. */
export { runDoctor } from './doctor.ts';
export { describeConfiguration, reportFailure } from './reports.ts';
