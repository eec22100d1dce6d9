/**
 * Everyday words with the same or a near meaning, one group a line: the vocabulary that visitors of any organisation use for
 * money, time, places, people, accounts and services. A group names no product of one trade. Words are looked up by stem.
 */
import { stem, words } from './terms.ts';

const english = `
price cost fee charge rate tariff expensive cheap cheaper cheapest dearer pricing omr usd riyal dollar
pay payment billing invoice bill checkout card cash visa mastercard
open opening hours close closed closing timings late until time schedule visit
location located address place map directions find country city hosted
park parking car vehicle garage automobile
child children kid baby infant newborn toddler son daughter boy girl cot
adult grown
class lesson course workshop training tuition teach learn
return refund refunds reimburse exchange
broken broke damaged shattered cracked chipped defective faulty
reserve reservation book booking appointment slot
cancel cancellation reschedule postpone terminate unsubscribe quit stop
change modify edit update amend move
fix mend repair maintenance
gift voucher present coupon
wheelchair disabled disability accessible accessibility ramp lift elevator
order purchase buy bought
custom bespoke personalised personalized commission tailored
ship shipping deliver delivery send courier post dispatch parcel
phone telephone call ring whatsapp number
email mail inbox
contact reach
colleague coworker teammate staff employee team member
group company corporate event party
password passcode pin login credential locked signin authenticate
account profile customer client
wifi internet online web network wireless
download export extract backup
upload import
delete remove erase
invite join add
integration integrate connect sync plugin
outage down incident uptime offline unavailable crash status
store stored storage keep host save hold
data information record file
secure security safe protection encrypt encrypted
trial try test demo sample
plan subscription membership package tier member
limit maximum cap throttle quota allowance
money cash fund
transfer wire remit remittance send
abroad overseas international foreign
loan borrow lend mortgage financing credit
withdraw withdrawal atm
balance deposit savings
lost lose stolen missing theft find wallet
block freeze suspend deactivate pause interrupt
scam fraud phishing suspicious hoax
document paperwork id identity passport proof certificate
statement report history
doctor physician specialist nurse clinician
medicine medication pill drug prescription tablet
blood laboratory lab
result outcome finding
vaccine vaccination jab immunisation immunization
insurance cover coverage insured insurer policy
emergency urgent faint unconscious consciousness bleed ambulance accident
ill sick pain ache hurt
room bed suite accommodation
breakfast morning meal food eat buffet restaurant dinner lunch
drink coffee tea beverage
airport flight plane land fly
collect driver taxi shuttle transport
pool swim swimming
gym fitness workout exercise
pet dog cat puppy kitten animal
luggage bag suitcase baggage belongings
laundry wash clean ironing clothes shirt
wear clothes apron dress
smoke smoking cigarette tobacco vape
arrival arrive check checkin
departure depart leave check checkout
discount offer promotion deal
guarantee warranty
language speak translate english arabic
beginner novice experience
job vacancy career hiring employment
complaint problem issue complain
holiday vacation
month monthly
year yearly annual annually
renew renewal extend repeat again
miss missed forget forgot absent attend
toilet bathroom restroom
wholesale bulk trade reseller
tax vat
colour color
duration take within
gcc gulf uae emirates dubai sharjah saudi riyadh jeddah qatar doha bahrain kuwait
oman muscat salalah nizwa sohar sur
teacher instructor trainer coach tutor
woman women lady ladies female girls
man men gentleman male boys
guest visitor friend companion
locker bag belongings cabinet
dishwasher washing
`;

const arabic = `
سعر اسعار تكلفه تكلف بكم قيمه رسوم كلفه ريال ريالات دولار
دفع ادفع فاتوره فواتير فوتره بطاقه نقدا كاش فيزا تدفع
مواعيد ساعات دوام دوامكم اوقات تفتح تفتحون يفتح مفتوح تغلق تغلقون تقفلون تسكرون تعمل العمل لين
موقع عنوان مكان مكانكم موقعكم عنوانكم تقعون خريطه دوله بلد
موقف مواقف سياره سيارات اصف مركبه كراج
طفل اطفال ابني بنتي ابنتي اولاد صغار عيالي رضيع رضع مولود
دوره دورات حصه حصص درس دروس ورشه تعلم تدريب كورس
ارجاع استرجاع ارجع ترجعون ترجع استرداد استبدال اعاده تبديل نرد
مكسور مكسوره انكسر كسر تالف تضرر خربان
حجز احجز نحجز تحجز موعد مواعيد
الغاء الغي تلغي اوقف ايقاف
اصلاح تصلحون تصليح ترميم صيانه
هديه هدايا قسيمه قسائم
كرسي متحرك اعاقه ذوي منحدر مصعد
طلب طلبي طلبيه طلبات
شراء اشتري تشتري
خاصه خاص مخصص حسب تفصيل
توصيل شحن توصلون تشحنون ترسلون شحنه
هاتف رقم واتساب اتصل جوال تلفون
بريد ايميل رساله رسايل
تواصل اتواصل اتصال
موظف موظفين موظفيني زميل زملاء فريق عضو اعضاء
مجموعه شركه شركات فعاليه فعاليات
حفله حفلات ميلاد
مرور سري رمز دخول باسورد
حساب حسابي عميل عملاء
انترنت نت شبكه فاي
تنزيل تحميل تصدير استخراج نسخه
حذف امسح مسح
دعوه انضم ينضم يضيف اضافه
تكامل تكاملات ربط اربط تتصل
عطل اعطال طايح متوقف
حفظ تحفظ تحفظون تخزين تخزن خزن
بيانات معلومات معلوماتي معلوماتنا
امان حمايه امن تشفير
تجربه جرب مجاني مجانا استخدم
خطه باقه اشتراك عضويه
حد حدود اقصي
مال فلوس نقود مبلغ مبالغ
تحويل ارسل حواله طرش
خارج برا بره دولي
قرض قروض استلف سلفه تمويل اقتراض
سحب اسحب صراف مكينه كاش
رصيد ايداع توفير
فقد مفقود ضاع ضاعت سرق مسروق محفظه
جمد ايقاف تجميد توقيف موقت
احتيال نصب نصاب مشبوه
وثيقه وثائق ورقه اوراق هويه جواز اثبات
كشف كشوف تقرير
طبيب دكتور دكتوره
دواء دوا علاج وصفه وصفات حبوب
دم مختبر تحليل تحاليل فحص
نتيجه نتائج
لقاح تطعيم تطعيمات ابره
تامين ضمان
طوارئ طارئ طارئه اغمي اغماء وعي نزيف اسعاف
الم يعور وجع مرض
غرفه غرف سرير اسره
افطار فطور اكل وجبه طعام مطعم عشاء غداء بوفيه صبح
قهوه شاي مشروب
مطار طياره طائره رحله
سائق تكسي نقل ياخذ
مسبح سباحه اسبح
كلب كلاب قط قطه حيوان حيوانات
شنطه شنط حقيبه حقائب امتعه
غسيل غسل اغسل تغسل ملابس كوي
تدخين دخن سيجاره
وصول اوصل يصل
مغادره غادر اطلع
خصم عرض تخفيض
لغه لغات تتكلم انجليزي عربي
مبتدئ مبتدئين خبره
شهري شهر شهريا
سنوي سنه سنويا
تجديد جدد تمديد
غياب تغيب نسيت
جمله كميات موزع
ضريبه القيمه
لون الوان
مده طول وقت يستغرق تستغرق
البس ملابس
مدرب مدربين معلم معلمه يدرب تدريب كوتش
نساء سيدات حريم بنات نسايي
ضيف ضيوف صديق صديقي زاير مرافق
خزانه خزاين حقيبه حقيبتي شنطه اغراض
احضار احضر اجيب اجلب
شكوي مشكله
خليج دبي الامارات السعوديه الرياض جده قطر الدوحه البحرين الكويت
عمان مسقط صلاله نزوي صحار صور السلطنه
`;

const byStem = new Map<string, Set<string>>();
for (const line of `${english}${arabic}`.split('\n')) {
  // The stem of a short Arabic word with the article differs from the stem of the word.
  const stems = words(line).flatMap((word) => (/^[a-z]/.test(word) ? [stem(word)] : [stem(word), stem(`ال${word}`)]));
  for (const each of stems) byStem.set(each, new Set([...(byStem.get(each) ?? []), ...stems]));
}

/** Returns the stems of the synonyms of a term. */
export const synonyms = (term: string): string[] => {
  return [...(byStem.get(term) ?? [])].filter((other) => other !== term);
};
