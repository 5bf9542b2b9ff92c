import { fireTrigger } from './campaign-lifecycle.ts';
import { editAccount } from './account-edits.ts';
import { applySeed, editBroadcast, editCampaign, seedBroadcast, seedCampaign } from './edits.ts';
import { faultShape, seedShape, type FaultInput, type SeedInput } from './fault-shape.ts';
import { modesShape, type ModeChanges } from './modes.ts';
import { consultOracle, type Oracle } from './oracle.ts';
import { dataSettingsShape, setData, type DataSettings } from './reads/data.ts';
import { actAsFan, fanActShape, type FanActInput } from './fan-acts.ts';
import type { AccountEdit, BroadcastSeed, CampaignSeed } from './seed-shape.ts';
import type { Broadcast, Campaign } from './state.ts';
import { addEntry, editEntry, removeEntry } from './webhooks/entries.ts';
import {
  entryEditShape,
  entryInputShape,
  type Entry,
  type EntryEdit,
  type EntryInput,
} from './webhooks/state.ts';
import { putAccount, putKey, type AccountSeed, type KeySeed, type World } from './world.ts';

/** What happens to the service outside the API: time, people and faults. */
export interface Control {
  /** Moves virtual time forward and runs everything that becomes due. Returns the new time. */
  advance(ms: number): number;
  /** The virtual time in epoch milliseconds. */
  now(): number;
  addAccount(seed: AccountSeed): void;
  seedCampaign(accountId: string, seed?: CampaignSeed): Campaign['live'];
  seedBroadcast(accountId: string, seed?: BroadcastSeed): Broadcast['live'];
  /** Adds to an account what a person or a fan would add. */
  seed(seed: SeedInput): object;
  editCampaign(accountId: string, id: string, set: CampaignSeed): Campaign['live'];
  editBroadcast(accountId: string, id: string, set: BroadcastSeed): Broadcast['live'];
  /** Changes an account as a person does. */
  editAccount(accountId: string, set: AccountEdit): void;
  /** Adds a key, or changes or revokes the key with the same text, while the service runs. */
  addKey(seed: KeySeed): void;
  addFault(fault: FaultInput): void;
  clearFaults(): void;
  setModes(modes: ModeChanges): void;
  /** Sets the number of rows in the lists of traffic, revenue and team. */
  setData(settings: DataSettings): void;
  /** A fan fires a trigger. Returns the number of campaigns that queued a send. */
  fireTrigger(accountId: string, trigger: string, fanId: string): number;
  /** A fan tips, subscribes, buys, replies or reads. */
  fanActs(act: FanActInput): object;
  /** The addresses that get events. */
  webhooks(): readonly Entry[];
  addWebhook(entry: EntryInput): Entry;
  editWebhook(id: string, edit: EntryEdit): Entry;
  removeWebhook(id: string): void;
  oracle(): Oracle;
}

/** `catchUp` brings the world to the current time before each change by hand. */
export function createControl(world: World, catchUp: () => void): Control {
  const present = <Result>(act: () => Result): Result => {
    catchUp();
    return structuredClone(act());
  };
  return {
    advance(ms) {
      if (!(ms >= 0)) throw new RangeError('time moves forward only');
      catchUp();
      world.clockOffsetMs += ms;
      catchUp();
      return world.nowMs;
    },
    now: () => present(() => world.nowMs),
    addAccount: (seed) => void putAccount(world, seed),
    seedCampaign: (accountId, seed = {}) => present(() => seedCampaign(world, accountId, seed).live),
    seedBroadcast: (accountId, seed = {}) => present(() => seedBroadcast(world, accountId, seed).live),
    seed: (seed) => present(() => applySeed(world, seedShape.parse(seed)).live),
    editCampaign: (accountId, id, set) => present(() => editCampaign(world, accountId, { id }, set).live),
    editBroadcast: (accountId, id, set) => present(() => editBroadcast(world, accountId, { id }, set).live),
    editAccount: (accountId, set) => void present(() => editAccount(world, accountId, set).live),
    addKey: (seed) => void putKey(world, seed),
    addFault: (fault) => void world.faults.push({ fault: faultShape.parse(fault), seen: 0, struck: 0 }),
    clearFaults() {
      world.faults = [];
    },
    setModes(modes) {
      world.modes = modesShape.parse({ ...world.modes, ...modes });
    },
    setData: (settings) => present(() => setData(world, dataSettingsShape.parse(settings))),
    fireTrigger: (accountId, trigger, fanId) => present(() => fireTrigger(world, accountId, trigger, fanId)),
    fanActs: (act) => present(() => actAsFan(world, fanActShape.parse(act))),
    webhooks: () => present(() => world.webhooks.entries),
    addWebhook: (entry) => present(() => addEntry(world, entryInputShape.parse(entry))),
    editWebhook: (id, edit) => present(() => editEntry(world, id, entryEditShape.parse(edit))),
    removeWebhook: (id) => present(() => removeEntry(world, id)),
    oracle() {
      catchUp();
      return consultOracle(world);
    },
  };
}
