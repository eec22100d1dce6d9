import { describeContract } from './contract.ts';
import { createTestService } from './support.ts';

describeContract(() => createTestService());
