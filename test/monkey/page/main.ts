/** Runs in the page before the widget's script: installs the clock, the faults and the agent. */
import { agent, startAgent } from './agent.ts';
import { installFaults } from './browser-faults.ts';
import { installClock } from './clock.ts';
import type { PageSettings } from './settings.ts';

const { monkeySettings } = window as unknown as { monkeySettings: PageSettings };

installClock(monkeySettings.now);
installFaults(monkeySettings);
startAgent(monkeySettings);
Object.assign(window, { monkey: agent });
