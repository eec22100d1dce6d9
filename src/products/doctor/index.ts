/** What the widget itself uses of the doctor, as one value, so that a file which arrives empty is a failed load. */
import { runDoctor } from './doctor.ts';
import { describeConfiguration, reportFailure } from './reports.ts';

export const doctor = { describeConfiguration, reportFailure, runDoctor };
