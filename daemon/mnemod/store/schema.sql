-- The account file, whole, as of today. The migrations build the same; a test compares the two.
-- Instants are integer milliseconds UTC. Every CHECK repeats a promise the code makes.

CREATE TABLE meta (
    key TEXT PRIMARY KEY,
    value ANY NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE migration (
    number INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    applied_at_ms INTEGER NOT NULL
) STRICT;

-- One row per `observe` call: its idempotency, its place in the conversation, its first reply.
-- `reply` is the content-free answer; `request_hash` is keyed, so it tells nothing to who guesses.
CREATE TABLE interaction (
    seq INTEGER PRIMARY KEY,
    interaction_id TEXT NOT NULL UNIQUE,
    host_id TEXT NOT NULL,
    event_id TEXT NOT NULL,
    request_hash TEXT NOT NULL,
    conversation_id TEXT NOT NULL,
    session_id TEXT,
    reply TEXT NOT NULL,
    created_at_ms INTEGER NOT NULL,
    UNIQUE (host_id, event_id)
) STRICT;

-- What a person said, word for word. Erased rows keep their id and nothing that was said. What the
-- gates said of the words stands with them; only eligible and released rows are ever formed, found
-- or shown. `redacted` counts the secrets that were covered before the words were stored. The words
-- stand last, so that whatever is read besides costs no page of a long message.
CREATE TABLE evidence (
    seq INTEGER PRIMARY KEY,
    evidence_id TEXT NOT NULL UNIQUE,
    source_kind TEXT NOT NULL CHECK (source_kind IN ('spoken', 'observed', 'correction')),
    host_id TEXT NOT NULL,
    conversation_id TEXT NOT NULL,
    session_id TEXT,
    message_id TEXT NOT NULL,
    origin_hash TEXT UNIQUE,
    speaker_id TEXT,
    speaker_name TEXT,
    said_at_ms INTEGER,
    said_offset_min INTEGER,
    recorded_at_ms INTEGER NOT NULL,
    local_read INTEGER NOT NULL CHECK (local_read IN (0, 1)),
    cloud_read INTEGER NOT NULL CHECK (cloud_read IN (0, 1)),
    inference INTEGER NOT NULL CHECK (inference IN (0, 1)),
    outcome TEXT NOT NULL CHECK (outcome IN ('eligible', 'noise', 'held', 'released')),
    gate_decision TEXT NOT NULL DEFAULT 'pass'
        CHECK (gate_decision IN ('pass', 'flag', 'noise', 'hold')),
    gate_reason TEXT,
    gate_detector TEXT CHECK (gate_detector IN ('injection', 'authority', 'role', 'comment',
        'temporal', 'encoded', 'secret')),
    gate_start INTEGER CHECK (gate_start >= 0),
    gate_end INTEGER,
    redacted INTEGER NOT NULL DEFAULT 0 CHECK (redacted >= 0),
    rules_version INTEGER NOT NULL DEFAULT 0,
    annotations_failed INTEGER NOT NULL DEFAULT 0 CHECK (annotations_failed IN (0, 1)),
    trust REAL NOT NULL CHECK (trust BETWEEN 0 AND 1),
    erased_at_ms INTEGER,
    content_hash TEXT NOT NULL,
    content TEXT NOT NULL,
    CHECK ((erased_at_ms IS NOT NULL) = (content = '')),
    CHECK ((erased_at_ms IS NOT NULL) = (origin_hash IS NULL)),
    CHECK ((said_at_ms IS NULL) = (said_offset_min IS NULL)),
    CHECK ((speaker_id IS NULL) = (speaker_name IS NULL)),
    CHECK ((outcome = 'eligible') = (gate_decision IN ('pass', 'flag'))),
    CHECK (outcome <> 'noise' OR gate_decision = 'noise'),
    CHECK (outcome <> 'held' OR gate_decision = 'hold'),
    CHECK ((gate_start IS NULL) = (gate_end IS NULL)),
    CHECK (gate_start < gate_end)
) STRICT;

CREATE INDEX evidence_conversation ON evidence (conversation_id, seq);
CREATE INDEX evidence_moment ON evidence (coalesce(said_at_ms, recorded_at_ms));
CREATE INDEX evidence_outcome ON evidence (outcome, seq) WHERE outcome <> 'eligible';

-- What passages of the words mean in one form: beside the words, never in their place. `value` is
-- JSON; `anchor` the moment that relative dates were counted from, as ISO 8601.
CREATE TABLE annotation (
    evidence_seq INTEGER NOT NULL REFERENCES evidence (seq),
    position INTEGER NOT NULL,
    start INTEGER NOT NULL CHECK (start >= 0),
    "end" INTEGER NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('date', 'interval', 'amount', 'proportion', 'duration',
        'repair')),
    value TEXT NOT NULL CHECK (value <> ''),
    precision TEXT CHECK (precision IN ('minute', 'day', 'week', 'month', 'quarter', 'half',
        'year')),
    anchor TEXT,
    confidence REAL NOT NULL CHECK (confidence BETWEEN 0 AND 1),
    PRIMARY KEY (evidence_seq, position),
    CHECK (start < "end")
) STRICT, WITHOUT ROWID;

-- The turns of a conversation in order. A user's words stand in `evidence` only; an assistant's
-- stand here and are context, never a source. `held` ones are no context either: the gates found a
-- command or a secret in them.
CREATE TABLE interaction_turn (
    turn_seq INTEGER PRIMARY KEY,
    interaction_seq INTEGER NOT NULL REFERENCES interaction (seq),
    conversation_id TEXT NOT NULL,
    role TEXT NOT NULL CHECK (role IN ('user', 'assistant')),
    host_id TEXT NOT NULL,
    message_id TEXT NOT NULL,
    evidence_id TEXT REFERENCES evidence (evidence_id),
    content TEXT,
    said_at_ms INTEGER,
    capture TEXT CHECK (capture IN ('complete', 'complete_empty', 'unavailable', 'withheld')),
    held INTEGER NOT NULL DEFAULT 0 CHECK (held IN (0, 1)),
    redacted INTEGER NOT NULL DEFAULT 0 CHECK (redacted >= 0),
    erased_at_ms INTEGER,
    CHECK ((role = 'user') = (evidence_id IS NOT NULL)),
    CHECK (role = 'assistant' OR content IS NULL),
    CHECK (role = 'user' OR (erased_at_ms IS NOT NULL) = (content IS NULL)),
    CHECK (role = 'assistant' OR capture IS NULL),
    CHECK (role = 'assistant' OR (held = 0 AND redacted = 0))
) STRICT;

CREATE INDEX interaction_turn_conversation ON interaction_turn (conversation_id, turn_seq);
CREATE INDEX interaction_turn_interaction ON interaction_turn (interaction_seq);
CREATE INDEX interaction_turn_evidence ON interaction_turn (evidence_id)
    WHERE evidence_id IS NOT NULL;
CREATE UNIQUE INDEX interaction_turn_message ON interaction_turn (host_id, message_id)
    WHERE role = 'assistant' AND erased_at_ms IS NULL;

-- What an assistant turn relied on when it was said, so that a forget reaches it.
CREATE TABLE interaction_dependency (
    turn_seq INTEGER NOT NULL REFERENCES interaction_turn (turn_seq),
    kind TEXT NOT NULL CHECK (kind IN ('item', 'evidence', 'interaction')),
    ref_id TEXT NOT NULL,
    PRIMARY KEY (turn_seq, kind, ref_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX interaction_dependency_ref ON interaction_dependency (ref_id, kind);

-- The world. Subject and holder NULL are the owner.
CREATE TABLE item (
    seq INTEGER PRIMARY KEY,
    item_id TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL CHECK (kind IN ('entity', 'relationship', 'event', 'cognition',
        'evaluation', 'reflection', 'persona')),
    layer TEXT NOT NULL CHECK (layer IN ('fact', 'reflection', 'persona')),
    text TEXT NOT NULL CHECK (text <> ''),
    key TEXT NOT NULL,
    statement_kind TEXT CHECK (statement_kind IN ('attribute', 'preference', 'intention', 'state',
        'naming', 'relationship', 'alias', 'event', 'evaluation')),
    formed_by TEXT NOT NULL CHECK (formed_by IN ('stated', 'confirmed', 'observed', 'corrected',
        'derived', 'card')),
    subject_entity_id TEXT REFERENCES item (item_id),
    holder_entity_id TEXT REFERENCES item (item_id),
    source_entity_id TEXT REFERENCES item (item_id),
    target_entity_id TEXT REFERENCES item (item_id),
    relation_type TEXT,
    importance INTEGER NOT NULL CHECK (importance BETWEEN 1 AND 10),
    confidence INTEGER NOT NULL CHECK (confidence BETWEEN 0 AND 1000),
    trust REAL NOT NULL CHECK (trust BETWEEN 0 AND 1),
    occurred_at TEXT,
    precision TEXT CHECK (precision IN ('minute', 'day', 'week', 'month', 'quarter', 'half',
        'year')),
    time_expression TEXT,
    valid_from_ms INTEGER,
    valid_to_ms INTEGER,
    recorded_at_ms INTEGER NOT NULL,
    invalidated_at_ms INTEGER,
    state TEXT NOT NULL CHECK (state IN ('current', 'superseded', 'retracted', 'past')),
    archived_at_ms INTEGER,
    muted_at_ms INTEGER,
    pinned_at_ms INTEGER,
    protected INTEGER NOT NULL DEFAULT 0 CHECK (protected IN (0, 1)),
    occurrence INTEGER NOT NULL DEFAULT 1 CHECK (occurrence >= 1),
    created_revision INTEGER NOT NULL,
    CHECK ((kind = 'reflection') = (layer = 'reflection')),
    CHECK ((kind = 'persona') = (layer = 'persona')),
    CHECK ((state IN ('superseded', 'retracted')) = (invalidated_at_ms IS NOT NULL)),
    CHECK ((kind = 'relationship') = (relation_type IS NOT NULL)),
    CHECK (occurred_at IS NULL OR precision IS NOT NULL)
) STRICT;

CREATE INDEX item_key ON item (key, kind);
CREATE INDEX item_kind_state ON item (kind, state, seq);
CREATE INDEX item_subject ON item (subject_entity_id) WHERE subject_entity_id IS NOT NULL;
CREATE INDEX item_holder ON item (holder_entity_id) WHERE holder_entity_id IS NOT NULL;
CREATE INDEX item_source ON item (source_entity_id) WHERE source_entity_id IS NOT NULL;
CREATE INDEX item_target ON item (target_entity_id) WHERE target_entity_id IS NOT NULL;
CREATE INDEX item_occurred ON item (occurred_at) WHERE occurred_at IS NOT NULL;

-- Spans of one group were chosen together and carry the item only together.
CREATE TABLE support (
    item_id TEXT NOT NULL REFERENCES item (item_id),
    evidence_id TEXT NOT NULL REFERENCES evidence (evidence_id),
    relation TEXT NOT NULL CHECK (relation IN ('support', 'contradict', 'retract', 'alias')),
    start INTEGER NOT NULL CHECK (start >= 0),
    "end" INTEGER NOT NULL,
    span_hash TEXT NOT NULL,
    grp INTEGER NOT NULL,
    position INTEGER NOT NULL,
    PRIMARY KEY (item_id, evidence_id, relation, start, "end"),
    CHECK (start < "end")
) STRICT, WITHOUT ROWID;

CREATE INDEX support_evidence ON support (evidence_id);

CREATE TABLE derivation (
    derived_item_id TEXT NOT NULL REFERENCES item (item_id),
    source_item_id TEXT NOT NULL REFERENCES item (item_id),
    PRIMARY KEY (derived_item_id, source_item_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX derivation_source ON derivation (source_item_id);

-- The assistant's proposal that a confirmed item says yes to: explained, never a source of words
-- of the owner.
CREATE TABLE assistant_source (
    item_id TEXT NOT NULL REFERENCES item (item_id),
    turn_seq INTEGER NOT NULL REFERENCES interaction_turn (turn_seq),
    start INTEGER NOT NULL CHECK (start >= 0),
    "end" INTEGER NOT NULL,
    PRIMARY KEY (item_id, turn_seq, start),
    CHECK (start < "end")
) STRICT, WITHOUT ROWID;

CREATE INDEX assistant_source_turn ON assistant_source (turn_seq);

CREATE TABLE transition (
    transition_id TEXT PRIMARY KEY,
    prior_item_id TEXT NOT NULL REFERENCES item (item_id),
    successor_item_id TEXT REFERENCES item (item_id),
    kind TEXT NOT NULL CHECK (kind IN ('corrects', 'supersedes', 'name_corrected', 'retracts',
        'alias', 'merged')),
    evidence_id TEXT REFERENCES evidence (evidence_id),
    revision INTEGER NOT NULL,
    at_ms INTEGER NOT NULL,
    CHECK ((kind = 'retracts') = (successor_item_id IS NULL))
) STRICT, WITHOUT ROWID;

CREATE INDEX transition_prior ON transition (prior_item_id);
CREATE INDEX transition_successor ON transition (successor_item_id);
CREATE INDEX transition_evidence ON transition (evidence_id);

CREATE TABLE entity_name (
    entity_id TEXT NOT NULL REFERENCES item (item_id),
    key TEXT NOT NULL,
    name TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('canonical', 'alias')),
    evidence_id TEXT NOT NULL REFERENCES evidence (evidence_id),
    PRIMARY KEY (entity_id, key, evidence_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX entity_name_key ON entity_name (key);
CREATE INDEX entity_name_evidence ON entity_name (evidence_id);

-- Background work. `processing` exactly while a claim holds it; ended exactly when it says when.
CREATE TABLE job (
    seq INTEGER PRIMARY KEY,
    job_id TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('pending', 'processing', 'retry', 'done', 'no_change',
        'clarification', 'out_of_scope', 'dead')),
    reason TEXT,
    conversation_id TEXT,
    attempts INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
    outages INTEGER NOT NULL DEFAULT 0 CHECK (outages >= 0),
    cutoffs INTEGER NOT NULL DEFAULT 0 CHECK (cutoffs >= 0),
    next_attempt_at_ms INTEGER NOT NULL,
    last_error TEXT,
    recovery TEXT CHECK (recovery IN ('restart_recovered', 'shutdown_recovered')),
    claim_owner TEXT,
    claim_token TEXT,
    generation INTEGER NOT NULL DEFAULT 0,
    lease_expires_at_ms INTEGER,
    created_at_ms INTEGER NOT NULL,
    completed_at_ms INTEGER,
    CHECK ((state = 'processing') = (claim_owner IS NOT NULL)),
    CHECK ((state = 'processing') = (claim_token IS NOT NULL)),
    CHECK ((state = 'processing') = (lease_expires_at_ms IS NOT NULL)),
    CHECK ((state IN ('done', 'no_change', 'clarification', 'out_of_scope', 'dead'))
        = (completed_at_ms IS NOT NULL))
) STRICT;

CREATE INDEX job_due ON job (next_attempt_at_ms, seq) WHERE state IN ('pending', 'retry');
CREATE INDEX job_claimed ON job (lease_expires_at_ms) WHERE state = 'processing';
CREATE INDEX job_state ON job (state, seq);

CREATE TABLE job_evidence (
    job_id TEXT NOT NULL REFERENCES job (job_id),
    evidence_id TEXT NOT NULL REFERENCES evidence (evidence_id),
    PRIMARY KEY (job_id, evidence_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX job_evidence_evidence ON job_evidence (evidence_id);

CREATE TABLE job_item (
    job_id TEXT NOT NULL REFERENCES job (job_id),
    item_id TEXT NOT NULL REFERENCES item (item_id),
    PRIMARY KEY (job_id, item_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX job_item_item ON job_item (item_id);

-- What a job's interpreter was shown besides the job's own Evidence: items and entities, Evidence
-- behind names and earlier turns, assistant turns, each by its place. A forget finds by it the
-- answers that may quote what goes, and who is reading it now.
CREATE TABLE job_context (
    kind TEXT NOT NULL CHECK (kind IN ('item', 'evidence', 'turn')),
    ref_seq INTEGER NOT NULL,
    job_seq INTEGER NOT NULL REFERENCES job (seq),
    PRIMARY KEY (kind, ref_seq, job_seq)
) STRICT, WITHOUT ROWID;

CREATE INDEX job_context_job ON job_context (job_seq);

-- `retry_formation`: one new job per request.
CREATE TABLE job_retry (
    request_id TEXT PRIMARY KEY,
    prior_job_id TEXT NOT NULL,
    job_id TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX job_retry_job ON job_retry (job_id);

-- A model's words before they are used; the only place they are kept.
CREATE TABLE checkpoint (
    job_id TEXT NOT NULL REFERENCES job (job_id),
    step TEXT NOT NULL,
    request_hash TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('reserved', 'completed', 'failed')),
    reply TEXT,
    usage TEXT,
    error TEXT,
    at_ms INTEGER NOT NULL,
    PRIMARY KEY (job_id, step),
    CHECK ((state = 'completed') = (reply IS NOT NULL))
) STRICT, WITHOUT ROWID;

-- The durable answer to a command. No column holds user text.
CREATE TABLE receipt (
    seq INTEGER PRIMARY KEY,
    command_id TEXT NOT NULL UNIQUE,
    request_hash TEXT NOT NULL,
    operation TEXT NOT NULL,
    result_state TEXT NOT NULL CHECK (result_state IN ('applied', 'no_change', 'rejected')),
    rejection TEXT,
    before_revision INTEGER NOT NULL,
    after_revision INTEGER NOT NULL,
    affected_ids TEXT NOT NULL,
    transition_ids TEXT NOT NULL,
    completed_at_ms INTEGER NOT NULL,
    receipt_hash TEXT NOT NULL,
    CHECK ((result_state = 'rejected') = (rejection IS NOT NULL)),
    CHECK (after_revision = before_revision + (result_state = 'applied'))
) STRICT;

-- What was erased: hashes and ids alone. `origin` keeps an old message from coming back;
-- `item` and `evidence` answer `already_erased` with the command that did it.
CREATE TABLE tombstone (
    kind TEXT NOT NULL CHECK (kind IN ('origin', 'item', 'evidence', 'context')),
    mark TEXT NOT NULL,
    command_id TEXT NOT NULL,
    erased_at_ms INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    PRIMARY KEY (kind, mark)
) STRICT, WITHOUT ROWID;

-- One entry per searchable row; rowid is evidence.seq or item.seq. `terms` are our own tokens,
-- joined by spaces. Rebuildable from the rows above; never the truth. Scores are worked out from
-- the terms, so FTS5 need keep neither positions nor lengths. Not `detail = none`: with it and
-- secure-delete, SQLite 3.53.4 loses entries of a row put back in the transaction that took it out.
CREATE VIRTUAL TABLE evidence_lexical USING fts5 (
    terms,
    detail = column,
    columnsize = 0,
    tokenize = "unicode61 remove_diacritics 0 tokenchars '_'"
);

CREATE VIRTUAL TABLE item_lexical USING fts5 (
    terms,
    detail = column,
    columnsize = 0,
    tokenize = "unicode61 remove_diacritics 0 tokenchars '_'"
);

-- Assistant turns, so that a forget finds the copies in them. rowid is turn_seq.
CREATE VIRTUAL TABLE turn_lexical USING fts5 (
    terms,
    tokenize = "unicode61 remove_diacritics 0 tokenchars '_'"
);
