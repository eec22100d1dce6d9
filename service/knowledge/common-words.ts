/**
 * Frequent words that say little about the subject of a question. A question loses little when no source contains one of
 * them, unlike a rare word, which often names another subject. They stay search terms, unlike stop words.
 */
import { stem, words } from './terms.ts';

const english = `
able accept add after again ago allow already always another ask available back bad before begin believe best better big both
bring call certain change come complete consider continue country couple decide different difficult early easy either end
enough even evening everyone everything example expect explain fact family far feel few find first follow forget friend full
further good great guess hand happy hard hear help high hope hour idea important include instead interested keep kind last
later lead learn least leave less life line list little live long look lose lot low make man matter member mention method minute
miss money month more most move much must name near never new next night note number offer often old once online only open
option order own part particular party pay person plan point possess present problem product provide put question quick quite
rather reach read ready reason receive regular remain remember request require rest return run same save second see seem send
service set several short side simple since single sit small sort speak special stand start state stay step still stop stuff
such support suppose sure system talk team than thank though thought through together total toward try turn type under until
update upon usual usually visit wait walk watch way week whole wife husband mother father brother sister will within without
woman word work world worry write wrong year young anymore everyday available company customer business day stuff ran got went came took gave made found told left kept
sent saw knew thought felt brought met color size style type sort
`;

const arabic = `
جيد كبير صغير جديد قديم اول اخر اخري نفس بعض كثير قليل شخص حد احد رجل امراه زوج زوجه زوجتي زوجي ام اب اخ اخت اهلي اهل عايله صديق
وقت لحظه اسبوع شهر سنه ليله مره مرات حين الحين لاحقا سابقا دايما ابدا ربما حتما
ياخذ اخذ يعطي اعطي عطني يقول قال يسوي سوي يعمل عمل يروح روح يجي جيت جاي يصير اصير صار يكون خلي اخلي يخلي شوف اشوف يشوف اعرف يعرف
حصل احصل يحصل وجد اجد القي لقي يبي يبغي نبغي تبغون يريد تريد تريدون لازم ضروري مطلوب يلزم احتاج يحتاج عشان علشان قبل بعد
مشكله طريقه خطوه شركه برنامج موقع خدمه عميل زبون تغير تغيرت خطط اكمل يكمل وياي معي معكم كلش واجد وايد
عجب عجبني عجبتني يعجب لون حجم نوع
يقدر اقدر قادر سمح مسموح تسمحون يجوز اجيب جيب اسال ارسل استخدم
`;

const stems: ReadonlySet<string> = new Set(words(`${english} ${arabic}`).map(stem));

export const isCommon = (term: string): boolean => {
  return stems.has(term);
};
