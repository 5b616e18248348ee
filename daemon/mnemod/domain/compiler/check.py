"""From an Interpretation to a ChangeSet: every proposal bound to its words and checked.

A reply is taken whole or not at all. The one exception are proposals that are no statements
(questions, orders for one task): those are left out, and their codes kept.
"""

from __future__ import annotations

from mnemod.domain.compiler.bind import Bound, bind
from mnemod.domain.compiler.change_set import AddName, Change, ChangeSet, Contradict, Form, Retract
from mnemod.domain.compiler.naming import known_entities, named, without_speaker
from mnemod.domain.compiler.proposal import new_item
from mnemod.domain.compiler.refusal import CompileError, Refusal
from mnemod.domain.compiler.statements import why_left_out
from mnemod.domain.compiler.targets import endings, priors, require_distinct
from mnemod.domain.compiler.whole import require_whole
from mnemod.domain.interpretation import Action, FormationInput, Interpretation, ProposedItem
from mnemod.domain.world import FormedBy, StatementKind


def compile_reply(
    interpretation: Interpretation, request: FormationInput
) -> ChangeSet | CompileError:
    """The changes that a reply of `items` comes to, or why it cannot be used."""
    changes: list[Change] = []
    dropped: list[str] = []
    try:
        for proposed in map(without_speaker, interpretation.items):
            change = _change(proposed, request)
            if isinstance(change, str):
                dropped.append(change)
            else:
                changes.append(change)
        require_distinct(changes)
    except Refusal as refused:
        return refused.error
    return ChangeSet(tuple(changes), tuple(dropped))


def _change(proposed: ProposedItem, request: FormationInput) -> Change | str:
    """What one proposal changes, or the code of why it is left out."""
    bound = bind(proposed.supports, request)
    if proposed.action in (Action.CONTRADICT, Action.RETRACT):
        return _ending(proposed, bound, request)
    if proposed.contradicts:
        raise Refusal("unexpected_contradiction_target", "contradicts goes with contradict.")
    if proposed.formed_by is FormedBy.STATED and (code := why_left_out(bound, request)):
        return code
    require_whole(bound, request)
    if proposed.statement_kind is StatementKind.ALIAS:
        return _alias(proposed, bound, request)
    if proposed.alias_of:
        raise Refusal("unexpected_alias_of", "alias_of goes with statement_kind alias.")
    if proposed.action is Action.CORRECT and not proposed.corrects:
        raise Refusal("invalid_correction_target", "A correction names what it corrects.")
    item = new_item(proposed, bound, request)
    return Form(item, priors(proposed, item, request))


def _ending(proposed: ProposedItem, bound: Bound, request: FormationInput) -> Change:
    if proposed.action is Action.RETRACT:
        # Where a model puts the target leaves no doubt about what ends.
        targets = (*proposed.contradicts, *proposed.corrects, *proposed.supersedes)
        return Retract(endings(targets, proposed, bound, request), bound.spans)
    if proposed.corrects or proposed.supersedes:
        raise Refusal("unexpected_correction_target", "A contradiction replaces nothing.")
    return Contradict(endings(proposed.contradicts, proposed, bound, request), bound.spans)


def _alias(proposed: ProposedItem, bound: Bound, request: FormationInput) -> AddName:
    """Another name for someone known. Two who are known are not joined by a sentence alone."""
    if not proposed.alias_of or not proposed.target:
        raise Refusal("missing_alias_of", "An alias names target, the new name, and alias_of.")
    canonical = named(proposed.alias_of, bound, request)
    alias = named(proposed.target, bound, request)
    if canonical.key == alias.key:
        raise Refusal("alias_target_is_itself", "An alias is another name.")
    if canonical.entity_id is None:
        raise Refusal("alias_entity_unknown", "alias_of is nobody known by that name.")
    if known_entities(alias.key, request):
        raise Refusal("alias_entity_known", "Both names are of someone known already.")
    return AddName(canonical, alias, new_item(proposed, bound, request, subject=canonical))
