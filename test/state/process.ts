import { createInterface } from 'node:readline';
import { systemClock } from '../../src/host/clock.ts';
import { State } from '../../src/state/state.ts';
import type { StateScript } from '../helpers/state-process.ts';
import { CREATE, FROM_START, PAUSE } from '../helpers/states.ts';
