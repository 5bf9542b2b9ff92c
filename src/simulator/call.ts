import type { z } from 'zod';
import type { CATALOGUE, Operation } from '../api/catalogue.ts';
import type { BodyOf, QueryOf } from './shapes/requests.ts';
import type { Cause } from './cause.ts';
import type { ApiKey } from './state.ts';
import type { World } from './world.ts';

type RowOf<Name extends Operation> = (typeof CATALOGUE)[Name];

/** Changes that faults make to the execution of a call. */
export interface FaultEffects {
  readonly partly: boolean;
  readonly listLagSec: number;
  /** The single read lags too. */
  readonly readsLag: boolean;
  readonly statusLagSec: number;
  readonly rewrite: Rewrite | null;
  readonly repeatPage: boolean;
  /** For a list with a cursor: an empty page, and a cursor for the rows that it should have shown. */
  readonly emptyPage: boolean;
}

/** A change that the service makes to a text some time after the create. */
export interface Rewrite {
  readonly after_sec: number;
  readonly from: string;
  readonly to: string;
}

export const NO_EFFECTS: FaultEffects = {
  partly: false,
  listLagSec: 0,
  readsLag: false,
  statusLagSec: 0,
  rewrite: null,
  repeatPage: false,
  emptyPage: false,
};

/** An admitted request, parsed. Plain JSON, so that it can be executed later. */
export interface Call<Name extends Operation> {
  readonly params: z.output<RowOf<Name>['params']>;
  readonly query: QueryOf<Name>;
  readonly body: BodyOf<Name>;
  readonly key: ApiKey;
  readonly cause: Cause;
  readonly effects: FaultEffects;
}

/**
 * A handler's answer: `null` for no body, `RawJson` where JSON.stringify would lose digits, `Bytes` for other
 * content.
 */
export type Answer = object | null;

/** JSON text that is sent unchanged. */
export class RawJson {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** Bytes that are sent unchanged. */
export class Bytes {
  readonly type: string;
  readonly content: Uint8Array<ArrayBuffer>;
  constructor(type: string, content: Uint8Array<ArrayBuffer>) {
    this.type = type;
    this.content = content;
  }
}

/** Executes one operation on the world, or throws a `Refusal`. */
export type Handler<Name extends Operation> = (world: World, call: Call<Name>) => Answer;
