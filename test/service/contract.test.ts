import { describeContract } from './contract.ts';
import { testService } from './support.ts';

describeContract(() => testService());
