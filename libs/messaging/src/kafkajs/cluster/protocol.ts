import { kafkaJsModule } from '../patches/patch-kafkajs.js';
import { type ProduceRequest, encodeProduce } from '../producing/produce-encoding.js';
import { type Api, type Exchange, FETCH, METADATA } from './versioned-apis.js';

/** KafkaJS's connections to one broker. */
export interface BrokerConnection {
  connectionPool: {
    pool: { socket?: { bytesRead: number; destroy(error: Error): void } }[];
    send<Answer>(exchange: {
      request: object;
      response: {
        decode: (payload: Buffer) => Promise<Answer>;
        parse: (answer: Answer) => Promise<Answer>;
      };
    }): Promise<Answer>;
  };
  isConnected(): boolean;
  connect(): Promise<void>;
  /** Valid only after `connect`, which reads the API versions of the broker. */
  lookupRequest<Ask, Answer>(key: number, definition: Api<Ask, Answer>['definition']): (ask: Ask) => Exchange<Answer>;
}

const { requests } = kafkaJsModule<{ requests: Record<string, unknown> }>('protocol/requests/index');
const keys = kafkaJsModule<Record<string, number>>('protocol/requests/apiKeys');

function api<Ask, Answer>(name: string): Api<Ask, Answer> {
  const [key, definition] = [keys[name], requests[name]];
  if (key === undefined || definition === undefined) throw new Error(`KafkaJS changed: the request ${name} is gone`);
  return { key, definition: definition as Api<Ask, Answer>['definition'] };
}

interface ProduceResponse {
  topics: { topicName: string; partitions: { partition: number; errorCode: number }[] }[];
}

const PRODUCE_VERSION = 7;
const Encoder = kafkaJsModule<new (bytes: number) => object>('protocol/encoder');
const kafkaJsProduce = api<ProduceRequest, ProduceResponse>('Produce');

/** KafkaJS's Produce request, encoded by `encodeProduce`. */
const PRODUCE: Api<ProduceRequest, ProduceResponse> = {
  key: kafkaJsProduce.key,
  definition: {
    versions: [PRODUCE_VERSION],
    protocol: ({ version }) => {
      const exchangeOf = kafkaJsProduce.definition.protocol({ version });
      return (ask) => {
        const { request, response } = exchangeOf(ask);
        const encode = async () => {
          const buf = await encodeProduce(ask, Date.now());
          return Object.assign(new Encoder(1), { buf, offset: buf.length });
        };
        return { request: { ...request, encode }, response };
      };
    },
  },
};

interface PartitionsOf<Partition> {
  topic: string;
  partitions: Partition[];
}

interface Member {
  groupId: string;
  memberId: string;
  /** The group.instance.id of a static member (KIP-345); null for a dynamic member. */
  groupInstanceId?: string | null;
}

/** The requests that this product sends in addition to those of KafkaJS's admin client. */
export const API = {
  metadata: METADATA,
  produce: PRODUCE,
  initProducerId: api<{ transactionTimeout: number }, { errorCode: number; producerId: string; producerEpoch: number }>(
    'InitProducerId',
  ),
  fetch: FETCH,
  listOffsets: api<
    { isolationLevel: number; topics: PartitionsOf<{ partition: number; timestamp: number }>[] },
    { responses: PartitionsOf<{ partition: number; errorCode: number; offset: string }>[] }
  >('ListOffsets'),
  findCoordinator: api<
    { groupId: string; coordinatorType: number },
    { errorCode: number; coordinator: { nodeId: number; host: string; port: number } }
  >('GroupCoordinator'),
  joinGroup: api<
    Member & {
      sessionTimeout: number;
      rebalanceTimeout: number;
      protocolType: string;
      groupProtocols: { name: string; metadata: Buffer }[];
    },
    {
      errorCode: number;
      generationId: number;
      leaderId: string;
      memberId: string;
      members: { memberId: string; memberMetadata: Buffer }[];
    }
  >('JoinGroup'),
  syncGroup: api<
    Member & { generationId: number; groupAssignment: { memberId: string; memberAssignment: Buffer }[] },
    { errorCode: number; memberAssignment: Buffer }
  >('SyncGroup'),
  heartbeat: api<Member & { groupGenerationId: number }, { errorCode: number }>('Heartbeat'),
  leaveGroup: api<Member, { errorCode: number }>('LeaveGroup'),
  offsetCommit: api<
    Member & {
      groupGenerationId: number;
      topics: PartitionsOf<{ partition: number; offset: string; metadata: string | null }>[];
    },
    { responses: PartitionsOf<{ partition: number; errorCode: number }>[] }
  >('OffsetCommit'),
  offsetFetch: api<
    { groupId: string; topics: PartitionsOf<{ partition: number }>[] },
    {
      errorCode?: number;
      responses: PartitionsOf<{ partition: number; offset: string; metadata: string | null; errorCode: number }>[];
    }
  >('OffsetFetch'),
};

/** The Kafka error codes used here; https://kafka.apache.org/protocol#protocol_error_codes. */
export const CODE = {
  unknownServerError: -1,
  none: 0,
  offsetOutOfRange: 1,
  corruptMessage: 2,
  unknownTopicOrPartition: 3,
  leaderNotAvailable: 5,
  notLeader: 6,
  requestTimedOut: 7,
  messageTooLarge: 10,
  networkException: 13,
  coordinatorLoading: 14,
  coordinatorNotAvailable: 15,
  notCoordinator: 16,
  recordListTooLarge: 18,
  notEnoughReplicas: 19,
  notEnoughReplicasAfterAppend: 20,
  illegalGeneration: 22,
  unknownMemberId: 25,
  rebalanceInProgress: 27,
  topicAuthorizationFailed: 29,
  groupAuthorizationFailed: 30,
  policyViolation: 44,
  outOfOrderSequence: 45,
  duplicateSequence: 46,
  invalidProducerEpoch: 47,
  storageError: 56,
  unknownProducerId: 59,
  fencedLeaderEpoch: 74,
  unknownLeaderEpoch: 75,
  memberIdRequired: 79,
  fencedInstanceId: 82,
  invalidRecord: 87,
  unknownTopicId: 100,
} as const;

const { createErrorFromCode } = kafkaJsModule<{ createErrorFromCode: (code: number) => Error }>('protocol/error');

/** An error code returned by a broker. */
export class KafkaProtocolError extends Error {
  constructor(
    readonly code: number,
    what: string,
  ) {
    // KafkaJS does not know this code.
    const reason = code === CODE.unknownTopicId ? 'the topic was deleted' : createErrorFromCode(code).message;
    super(`${what}: ${reason}`);
    this.name = 'KafkaProtocolError';
  }
}

/** Throws for every code but "no error". */
export function requireNoError(code: number | undefined, what: string): void {
  if (code !== undefined && code !== CODE.none) throw new KafkaProtocolError(code, what);
}
