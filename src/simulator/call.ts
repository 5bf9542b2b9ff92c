import type { z } from 'zod';
import type { CATALOGUE, Operation } from '../api/catalogue.ts';
import type { Cause } from './records.ts';
import type { ApiKey } from './state.ts';
import type { World } from './world.ts';

type RowOf<Name extends Operation> = (typeof CATALOGUE)[Name];

/** What a fault changes about the way a call is carried out. */
export interface Bending {
  readonly partly: boolean;
  readonly listLagSec: number;
  readonly repeatPage: boolean;
}

export const STRAIGHT: Bending = { partly: false, listLagSec: 0, repeatPage: false };

/** A request that was let in, with everything parsed by its row. Plain JSON, so that it can commit later. */
export interface Call<Name extends Operation> {
  readonly params: z.output<RowOf<Name>['params']>;
  readonly query: z.output<RowOf<Name>['query']>;
  readonly body: RowOf<Name>['body'] extends z.ZodType ? z.output<RowOf<Name>['body']> : null;
  readonly key: ApiKey;
  readonly cause: Cause;
  readonly bending: Bending;
}

/** What a handler answers: `null` for no body, `RawJson` where JSON.stringify would lose digits. */
export type Answer = object | null;

/** JSON text that is sent as it is. */
export class RawJson {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** Carries out one operation on the world, or throws a `Refusal`. */
export type Handler<Name extends Operation> = (world: World, call: Call<Name>) => Answer;
