import type * as z from 'zod';
import type { CATALOGUE, Operation } from '../api/catalogue.ts';
import type { Answer } from './answers.ts';
import type { Seed, SeedOf } from './seed-shape.ts';
import type { AccountState } from './state.ts';
import type { ApiKey, World, Cause, Timer, TimerOf } from './world.ts';

type Row<Name extends Operation> = (typeof CATALOGUE)[Name];

/** A request that was admitted and parsed. Plain JSON, so that it can be executed later. */
export interface Call<Name extends Operation = Operation> {
  readonly operation: Name;
  readonly params: z.output<Row<Name>['params']>;
  readonly query: z.output<Row<Name>['query']>;
  readonly body: Row<Name>['body'] extends z.ZodType ? z.output<Row<Name>['body']> : null;
  readonly key: ApiKey;
  readonly cause: Cause;
  readonly effects: FaultEffects;
}

/** What faults make of a call that is carried out. */
export interface FaultEffects {
  readonly partly: boolean;
  /** The time until a new object, or a new status, appears in its list. */
  readonly lagMs: number;
  /** The single read lags too. */
  readonly readsLag: boolean;
  readonly repeatPage: boolean;
}

/** The operations that a file answers. Each throws a `Refusal` for what the service refuses. */
export type Handlers = { readonly [Name in Operation]?: (world: World, call: Call<Name>) => Answer };

/** The kinds of seeds that a file adds to an account. What a seeder returns is shown to who asked for it. */
export type Seeders = {
  readonly [Kind in Seed['kind']]?: (world: World, account: AccountState, set: SeedOf<Kind>) => object;
};

/** What a file does when one of its timers is due, in the account that the timer names. */
export type Timers = {
  readonly [Kind in Exclude<Timer['kind'], 'late_commit'>]?: (
    world: World,
    account: AccountState,
    timer: TimerOf<Kind>,
  ) => void;
};
