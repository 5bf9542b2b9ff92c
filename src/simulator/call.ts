import type { z } from 'zod';
import type { CATALOGUE, Operation } from '../api/catalogue.ts';
import type { Cause } from './cause.ts';
import type { ApiKey } from './state.ts';
import type { World } from './world.ts';

type RowOf<Name extends Operation> = (typeof CATALOGUE)[Name];

/** What a fault changes about the way a call is carried out. */
export interface Bending {
  readonly partly: boolean;
  readonly listLagSec: number;
  /** The single read lags as well. */
  readonly readsLag: boolean;
  readonly statusLagSec: number;
  readonly rewrite: Rewrite | null;
  readonly repeatPage: boolean;
  /** A list by cursor: no rows, and a cursor for those that should have been there. */
  readonly emptyPage: boolean;
}

/** What the service makes of a text some time after it was created. */
export interface Rewrite {
  readonly after_sec: number;
  readonly from: string;
  readonly to: string;
}

export const STRAIGHT: Bending = {
  partly: false,
  listLagSec: 0,
  readsLag: false,
  statusLagSec: 0,
  rewrite: null,
  repeatPage: false,
  emptyPage: false,
};

/** A request that was let in, with everything parsed by its row. Plain JSON, so that it can commit later. */
export interface Call<Name extends Operation> {
  readonly params: z.output<RowOf<Name>['params']>;
  readonly query: z.output<RowOf<Name>['query']>;
  readonly body: RowOf<Name>['body'] extends z.ZodType ? z.output<RowOf<Name>['body']> : null;
  readonly key: ApiKey;
  readonly cause: Cause;
  readonly bending: Bending;
}

/** What a handler answers: `null` for no body, `RawJson` where JSON.stringify would lose digits, `Bytes` for no JSON at all. */
export type Answer = object | null;

/** JSON text that is sent as it is. */
export class RawJson {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** Bytes that are sent as they are. */
export class Bytes {
  readonly type: string;
  readonly content: Uint8Array<ArrayBuffer>;
  constructor(type: string, content: Uint8Array<ArrayBuffer>) {
    this.type = type;
    this.content = content;
  }
}

/** Carries out one operation on the world, or throws a `Refusal`. */
export type Handler<Name extends Operation> = (world: World, call: Call<Name>) => Answer;
