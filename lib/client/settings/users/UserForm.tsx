import { ArrowLeft, Trash2 } from "lucide";
import { useState } from "react";
import type { UserFields, UserInfo } from "../../../shared/api_types.ts";
import { usePage } from "../../core/page.ts";
import type { NewUserDefaults } from "../settings_data.ts";
import { isAlike } from "../alike.ts";
import { useUnsaved } from "../use_unsaved.ts";
import { useUserActions } from "./use_user_actions.ts";
import { useTranslation } from "../../core/use_translation.ts";
import { Button } from "../../../../components/Button.tsx";
import { Icon } from "../../../../components/Icon.tsx";
import { Card } from "../Card.tsx";
import { CommandsField } from "./CommandsField.tsx";
import { Form } from "../Form.tsx";
import { PermissionFields } from "./PermissionFields.tsx";
import { RulesEditor } from "../rules/RulesEditor.tsx";
import { SaveButton } from "../SaveButton.tsx";
import { ScopeField } from "./ScopeField.tsx";
import { SignInFields } from "../site/SignInFields.tsx";
import { ViewFields } from "../profile/ViewFields.tsx";

interface UserFormProps {
  /** Null for one that is to be made. */
  user: UserInfo | null;
  defaults: NewUserDefaults;
  locales: readonly string[];
}

/** All that administrators settle about one user. */
export function UserForm({ user, defaults, locales }: UserFormProps) {
  const { t } = useTranslation();
  const { BaseURL } = usePage().data.config;
  const actions = useUserActions(user);
  const { sending, former } = actions;
  const [blank] = useState(() => newUser(defaults));
  const [wanted, setWanted] = useState<UserFields>(former ?? blank);
  const [password, setPassword] = useState("");
  const change = (changed: Partial<UserFields>) => setWanted({ ...wanted, ...changed });

  const save = async () => {
    if (wanted.username.trim() === "") {
      sending.refuse("username", t("settings.users.nameMissing"));
      return false;
    }
    const isSaved = await actions.save(wanted, password);
    if (isSaved) setPassword("");
    return isSaved;
  };
  const title = former
    ? t("settings.users.titled", { name: former.username })
    : t("settings.users.newTitle");
  const isChanged = password !== "" || !isAlike(wanted, former ?? blank);
  useUnsaved({ name: title, isChanged, save });

  return (
    <Form className="settings__form" busy={sending.busy} onSend={() => void save()}>
      <nav aria-label={t("settings.users.title")}>
        <a className="settings__back" href={`${BaseURL}/settings/users`}>
          <Icon glyph={ArrowLeft} mirror />
          {t("settings.users.back")}
        </a>
      </nav>
      <Card
        id="user"
        title={title}
      >
        <SignInFields
          value={wanted}
          password={password}
          isNew={former === null}
          sending={sending}
          onChange={change}
          onPassword={setPassword}
        />
      </Card>
      <Card id="access" title={t("settings.access")}>
        <ScopeField
          value={wanted.scope}
          makesHome={former === null && defaults.createUserDir}
          complaint={sending.about("scope")}
          onChange={(scope) => change({ scope })}
        />
        <PermissionFields
          value={wanted.perm}
          onChange={(perm) => change({ perm, lockPassword: wanted.lockPassword && !perm.admin })}
        />
        <CommandsField
          commands={wanted.commands}
          onChange={(commands) => change({ commands })}
        />
        <RulesEditor
          rules={wanted.rules}
          list="user"
          global={defaults.rules}
          complaint={sending.about("rules")}
          onChange={(rules) => change({ rules })}
        />
      </Card>
      <Card id="view" title={t("settings.preferences")}>
        <ViewFields value={wanted} locales={locales} onChange={change} />
      </Card>
      <div className="settings__foot">
        {former && (
          <Button
            className="settings__aside"
            glyph={Trash2}
            onClick={() => void actions.remove()}
          >
            {t("buttons.delete")}
          </Button>
        )}
        <SaveButton busy={sending.busy} />
      </div>
    </Form>
  );
}

function newUser({ preferences, createUserDir }: NewUserDefaults): UserFields {
  const scope = createUserDir ? "" : preferences.scope;
  return { ...preferences, scope, username: "", lockPassword: false, rules: [] };
}
