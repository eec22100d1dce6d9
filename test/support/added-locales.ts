/** The languages for `registerLocale`, by the names of their files. */
import type { LocaleDefinition } from '../../src/locale/locale-definition.ts';
import de from '../../src/locale/added/de.ts';
import es from '../../src/locale/added/es.ts';
import fa from '../../src/locale/added/fa.ts';
import fr from '../../src/locale/added/fr.ts';
import he from '../../src/locale/added/he.ts';
import hi from '../../src/locale/added/hi.ts';
import id from '../../src/locale/added/id.ts';
import it from '../../src/locale/added/it.ts';
import ja from '../../src/locale/added/ja.ts';
import ko from '../../src/locale/added/ko.ts';
import nl from '../../src/locale/added/nl.ts';
import pl from '../../src/locale/added/pl.ts';
import ptBr from '../../src/locale/added/pt-BR.ts';
import ru from '../../src/locale/added/ru.ts';
import tr from '../../src/locale/added/tr.ts';
import uk from '../../src/locale/added/uk.ts';
import ur from '../../src/locale/added/ur.ts';
import zhHans from '../../src/locale/added/zh-Hans.ts';

export const addedLocales: Readonly<Record<string, LocaleDefinition>> = {
  de,
  es,
  fa,
  fr,
  he,
  hi,
  id,
  it,
  ja,
  ko,
  nl,
  pl,
  'pt-BR': ptBr,
  ru,
  tr,
  uk,
  ur,
  'zh-Hans': zhHans,
};
