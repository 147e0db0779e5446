/**
 * The library's door: what faces and servers use of the broker, and the types in which it is said. What only the
 * broker itself uses stays behind it.
 */
export {
  approveLate,
  denyLate,
  type LateNo,
  type LateParts,
  type LateYes,
  lateObjection,
  revokedEvent,
} from "./approval/answer-late.js";
export {
  type AllowedBy,
  type Approver,
  type Ask,
  Detach,
  type Earlier,
  type OnAsked,
  type Remembering,
} from "./approval/approver.js";
export { type ApproverParts, createApprover } from "./approval/create-approver.js";
export { createFactKeeper, type FactKeeperParts } from "./approval/create-fact-keeper.js";
export { createNotices, type NoticeBoard } from "./approval/create-notices.js";
export { createQuestioner, type QuestionerParts } from "./approval/create-questioner.js";
export { createDeadlines } from "./approval/deadlines.js";
export type { Askable, Dialog, DialogAnswer, QuestionContent } from "./approval/dialog.js";
export { createDialogUse, type DialogUse } from "./approval/dialog-use.js";
export type { FactAsk, FactAsked, FactKeeper, FactStanding } from "./approval/fact-keeper.js";
export { clearedEvent } from "./approval/grant-record.js";
export { type CarryOut, createLeftFacts, type LeftFactParts } from "./approval/left-facts.js";
export { type Notices, silentNotices } from "./approval/notices.js";
export { notificationEvent } from "./approval/notification.js";
export type { OnQuestionAsked, QuestionAsk, QuestionEnd, Questioner } from "./approval/questioner.js";
export { typedWord } from "./approval/typed-word.js";
export type { AuditEvent, AuditKind, AuditLog, EventOf, EventValues } from "./audit/audit-log.js";
export type { AuditRecord, HeadFault } from "./audit/chain.js";
export { factAnswersRecordedOf, type Recorded, recordedOf } from "./audit/decisions.js";
export { type RecentDialogs, recentDialogs } from "./audit/dialogs.js";
export { auditEvents, eventParts } from "./audit/events.js";
export { headDoubt } from "./audit/head-doubt.js";
export { clearLeftLock, isNobodysLock, lockPathIn } from "./audit/lock.js";
export { type AuditLogOptions, type FileAuditLog, openAuditLog } from "./audit/log.js";
export { eachRecord, type LogReading, type LogRecord } from "./audit/read-log.js";
export {
  type RecentEnding,
  type RecordedAnswer,
  type RecordedEffect,
  type RecordedEnd,
  recentEndings,
  shownOnce,
} from "./audit/recent.js";
export { type Verification, verifyLog } from "./audit/verify.js";
export type { BadPlace, LogFault } from "./audit/walk.js";
export { type AnswerEnding, type AnsweringOptions, answerAndWait, waitForEnd } from "./channel/answering.js";
export type {
  Channel,
  Ending,
  Listing,
  News,
  RefusedAnswer,
  Slot,
  Taken,
  Unreadable,
} from "./channel/channel.js";
export { measureSkew } from "./channel/clock-skew.js";
export { type AskerOptions, DirectoryChannel, type DirectoryChannelOptions } from "./channel/directory.js";
export { serverRecords } from "./channel/found-servers.js";
export { measureWatch } from "./channel/health.js";
export { ensureHome, type Home, homeAt, isHomeMade, judgeHome, resolveHome } from "./channel/home.js";
export { leftPlaceIn, type OnDecidedFact } from "./channel/left-fact.js";
export { isUnaltered } from "./channel/listing.js";
export { type ListingChanges, type LiveListing, liveListing } from "./channel/live-listing.js";
export type { Presence } from "./channel/presence.js";
export { settledIds } from "./channel/receipts.js";
export { recentReceipts } from "./channel/recent-receipts.js";
export { type NotTaken, notTakenIn, rejectedIds } from "./channel/rejected.js";
export { closeToOthers, moveUnreadable } from "./channel/repair.js";
export {
  type FoundServer,
  isDetached,
  isRecordGone,
  isServerGone,
  parentLiveness,
  readServerRecord,
  type ServerRecord,
} from "./channel/server-record.js";
export { serverPresence } from "./channel/servers.js";
export { readSpooled } from "./channel/spool.js";
export { type SweepOptions, type Swept, sweep } from "./channel/sweep.js";
export { createUpkeep, type UpkeepOptions } from "./channel/upkeep.js";
export { type ClientFacts, clientFacts, isRefusedWithin } from "./config/client-facts.js";
export { configProposal } from "./config/config-proposal.js";
export { judgingOf } from "./config/judging.js";
export { keepsNoAnswers } from "./config/keeps-answers.js";
export { type ConfigChange, type SettingsSource, settingsSource } from "./config/live.js";
export { judgeConfig, type LoadedConfig, loadConfig, readAcceptedConfig } from "./config/load.js";
export { configNotices, noticesOfConfig, waitingNotice } from "./config/notice.js";
export { type Objection, objectionText, objectionToKey } from "./config/objections.js";
export { acceptKeys, configPath, readConfigText, replaceConfig } from "./config/rewrite.js";
export { configKeys } from "./config/schema.js";
export {
  type AcceptedValues,
  effectOf,
  hasToWait,
  inForce,
  isSealedKey,
  type SealedKey,
  sealedKeys,
  sealedValue,
  type WaitingKey,
} from "./config/sealed-keys.js";
export {
  type ApprovalSettings,
  defaultSettings,
  type GateSettings,
  type NotifySettings,
  type Settings,
} from "./config/settings.js";
export {
  type DecidedBy,
  type DroppedFact,
  type FactListing,
  type FactScope,
  type FactStore,
  type FactWords,
  holdsIn,
  type KeptFact,
  type Proposal,
  type ProposedBy,
} from "./facts/fact-store.js";
export { folded, similarTo } from "./facts/similar.js";
export { type FactStoreOptions, openFactStore } from "./facts/store.js";
export type { HomePlace } from "./files/home-place.js";
export type { LockHolders } from "./files/lock.js";
export { lookAt } from "./files/look.js";
export {
  type OthersFile,
  type OthersObjection,
  type OthersRead,
  readOthersFile,
  replaceOthersFile,
} from "./files/others-file.js";
export {
  type AcceptChange,
  type AcceptProposal,
  type ChangeEffect,
  isSameProposal,
} from "./files/proposal.js";
export { probeHardLinks } from "./files/publish.js";
export { readAnybodys, readBytes } from "./files/read.js";
export { readLoosely } from "./files/read-loosely.js";
export { replaceNow } from "./files/replace.js";
export { ensureSafeDirectory, judgePlaceOf } from "./files/safe-directory.js";
export { removeAccepted, writeAccepted } from "./files/sealed.js";
export { changingSealed } from "./files/sealed-lock.js";
export { sealedNames } from "./files/sealed-names.js";
export { addressObjection, withoutCredentials } from "./gates/address.js";
export {
  type BackedUp,
  type Backup,
  type Backups,
  backupsOf,
  dropBackup,
  type EntryChange,
  keepBackup,
  largestConfiguration,
  originalOf,
  originalPath,
} from "./gates/backups.js";
export { isGateName } from "./gates/gate-name.js";
export { gatesIn } from "./gates/list-gates.js";
export type { ListedTool, ServerLook } from "./gates/listed-tool.js";
export { pinKeyOf, pinnedFrom } from "./gates/next-pins.js";
export { type GatePinsOptions, openGatePins } from "./gates/open-pins.js";
export type { GatePins, LetThrough, PinnedGate, PinnedServer, PinnedTool, PinsNow } from "./gates/pins.js";
export { type ConsumedOptions, type ConsumedStates, openConsumedStates } from "./grants/consumed.js";
export type {
  Bound,
  GrantFault,
  GrantListing,
  GrantStore,
  LateListing,
  LateRequest,
  LateRequests,
  Life,
  Moment,
  SessionRule,
  UnspentApproval,
  Yes,
} from "./grants/grant-store.js";
export { type LateOptions, openLateRequests } from "./grants/late.js";
export { momentsOf, remainingMs } from "./grants/life.js";
export { removeUncertain, uncertainGrants } from "./grants/uncertain.js";
export { type GrantStoreOptions, openGrantStore } from "./grants/unspent.js";
export { type OtherServer, otherServerOf } from "./identity/families.js";
export { livenessOf, ownIdentity, ownParent, startedAtOf } from "./identity/process.js";
export { type RootSecret, type RootSecretOptions, rootSecretOf } from "./identity/root-secret.js";
export { lookForServers, ownAncestors } from "./identity/system-look.js";
export {
  agentAbove,
  canFindUnasked,
  runningServers,
  type StartedIn,
  startedServers,
} from "./identity/unasked-servers.js";
export { blindWitness, processWitness, type WitnessOptions } from "./identity/witness.js";
export { foundRoutes, isProgramThere } from "./notify/found-routes.js";
export type { BannerReceipt, Notifier } from "./notify/notifier.js";
export { createNotifiers } from "./notify/notifiers.js";
export { type BudgetedBanners, type BudgetedPost, createPerMinute } from "./notify/per-minute.js";
export { type Desktop, desktopOf } from "./notify/route.js";
export {
  type AllowedTools,
  type AllowingOptions,
  acceptAllowed,
  digestsOf,
  type PolicyTexts,
  policyTexts,
} from "./policy/allowed-tools.js";
export { foundAt, isSingular, parseArgumentPath } from "./policy/argument-path.js";
export { openPolicy, type PolicyOptions } from "./policy/book.js";
export { callLook } from "./policy/call-look.js";
export { isComplex } from "./policy/complex.js";
export {
  absolutePathOf,
  type FoundProgram,
  judgedCommand,
  lookAtProgram,
  lookAtRight,
  programAt,
  programOf,
  programOnPath,
  type RightLook,
  whyUnusable,
} from "./policy/find-program.js";
export { floorReasons } from "./policy/floors.js";
export { type GateRuling, gateRuling, isPresetFloor } from "./policy/gate-ruling.js";
export { graveWordIn } from "./policy/grave-names.js";
export { createKnownRulings } from "./policy/known-rulings.js";
export { dangerReasons } from "./policy/levels.js";
export type { FileStanding, JudgeSettings, Policy, PolicyStanding } from "./policy/policy.js";
export { policyProposal } from "./policy/policy-proposal.js";
export type { FileSurroundings } from "./policy/presets/files-meant.js";
export { openPreset, type Preset } from "./policy/presets/open-preset.js";
export type { PresetData } from "./policy/presets/preset-data.js";
export { presets } from "./policy/presets/presets.js";
export type {
  ClearedRule,
  RememberedListing,
  RememberedRule,
  RememberedRules,
} from "./policy/remembered.js";
export { doesNotFit } from "./policy/remembered-match.js";
export { rememberedProposal } from "./policy/remembered-proposal.js";
export { openRememberedRules, type RememberedStoreOptions } from "./policy/remembered-store.js";
export { searchedInLine } from "./policy/searched.js";
export { plainerThan } from "./policy/unseen.js";
export type {
  DecidingRule,
  Judged,
  JudgedCommand,
  JudgedPart,
  JudgedTool,
  Verdict,
  VerdictName,
} from "./policy/verdict.js";
export {
  type Answer,
  type AnsweredBy,
  type Decision,
  isWider,
  isYes,
  longestAnswerBytes,
  longestNote,
  type Via,
} from "./request/answer.js";
export { asciiJson } from "./request/ascii-json.js";
export {
  type Assurance,
  assuranceOf,
  assuranceWords,
  type Shortfall,
  shortfalls,
  type Testimony,
  type Verified,
  type Witness,
} from "./request/assurance.js";
export { answerHash, canonicalJson, isReceiptVerified } from "./request/binding.js";
export { callLine } from "./request/call-line.js";
export { type ErrorCode, errorCodes } from "./request/error-codes.js";
export { errnoOf, expectWispError, WispError } from "./request/errors.js";
export { firstFound } from "./request/first-found.js";
export { isIdentifier, newIdentifier, shortestPrefix } from "./request/identifier.js";
export { isStateBound, likenessOf, questionHash } from "./request/likeness.js";
export type { ListingSpec } from "./request/listing-spec.js";
export { longTextBytes, sha256Hex, shortened, type Text } from "./request/long-text.js";
export { nearest } from "./request/nearest.js";
export { exitOf, type Outcome, type OutcomeName, type OutcomeRule, outcomes } from "./request/outcome.js";
export type { PreviewSpec } from "./request/preview-spec.js";
export type { Liveness, ProcessIdentity, SoughtProcess } from "./request/process.js";
export { isOfAltered, type Receipt } from "./request/receipt.js";
export type {
  ApprovalRequest,
  CommandSubject,
  FactRequest,
  FileIdentity,
  Kind,
  Level,
  Offer,
  QuestionRequest,
  Request,
  Subject,
} from "./request/request.js";
export { directoryOf, kinds, requestFileName } from "./request/request.js";
export { type Scope, scopes } from "./request/scope.js";
export type { Keys } from "./request/seal.js";
export { shellQuoted, singleQuoted } from "./request/shell-quote.js";
export { type Shown, shown, shownLines, shownText } from "./request/shown.js";
export type { BoundSpec, StateSpec } from "./request/state-spec.js";
export {
  hasKeyTwice,
  type JsonObjection,
  parseStrictJson,
  readStrictJson,
  type StrictRules,
  textObjection,
} from "./request/strict-json.js";
export type { BoundTarget } from "./state/bound-target.js";
export { fingerprintPath } from "./state/path-state.js";
export {
  deletePreview,
  editPreview,
  movePreviews,
  type Preview,
  type Previewed,
  unseenNotes,
  writePreview,
} from "./state/previews.js";
export { fingerprintGit, workTreeState } from "./state/work-tree.js";
export { type Clock, systemClock, type Timer } from "./system/clock.js";
export { demoPrefix } from "./system/demo-home.js";
export { homeDirectoryOf } from "./system/home-directory.js";
export { localDay } from "./system/local-day.js";
export { version } from "./version.js";
