/** The stop words of both languages, in the form that `normalize` returns. */

const english = `
a about actually afternoon also am an and any anyone anything are as at be been being but by can cannot cant could curious did do does
doing dont else ever every for from get give go going got had has have having hello hey hi how i id if ill im in into is isnt it
its ive just kindly know let like looking may maybe me mean might mine my myself need nice no not of off ok okay on one or our ours out
please possible really right say see shall she should so some somebody someone something somewhere tell thank
thanks that the their them then there theres these they thing things think this those to too understand up us very
want wanted wants was we well were what whats when where whether which while who whom whose why will wish with wonder
wondering would yeah yes you your yours youre he she him her his hers u dear top happen happens happened today tonight tomorrow
time now soon exactly friendly suitable place show people work works leave never one two three four five six seven eight nine ten
howdy hiya yo cheers mate ta thx u guys yall
`;

const arabic = `
في من علي الي عن ما ماذا هل كيف كم متي اين وين هو هي هم هذا هذه ذلك تلك التي الذي الذين ان انا انت انتم نحن لا نعم يا ثم او ام و ل
لي لك لكم له لها لنا لهم يمكن يمكنني يمكنك يمكنكم ممكن غير اي ايه كل مع حتي كان كانت يكون تكون كنت قد لقد لو سمحت سمحتم فضلك رجاء
عند عندي عندك عندكم لدي لديك لديكم لديه هناك هنا بعد قبل بس ايش وش شو شنو ابغي ابي ابا اريد اود احب ارغب احتاج بدي اقدر تقدرون
نقدر استطيع تستطيعون يوجد فيه فيها بها به منها منه عليه عليها اذا لكن ولكن ايضا كذلك جدا شي شيء اللي انه انها لان مثل بين خلال
فهل وهل طيب زين اوكي مرحبا اهلا السلام عليكم سؤال اسال اعرف معرفه اخبرني اخبروني قولي عندما حين حول الان تم يتم شكرا بالضبط موجود موجوده موجودين مناسب مناسبه متاح متاحه اليوم غدا بكره باكر الساعه ساعه يوم اللي فقط تقريبا
عني عنك عنه عنها عنكم مني منك منكم منهم معك معكم معي معنا معه اليك اليكم الينا عليك عليكم علينا علي بكم بك لماذا ليش منو مين لما مب مو وياي وياكم
هلا هاي حياكم يسلمو مشكور مشكورين ولا تشكرات ياهلا
اعرض اعرضوا اشارك سوي اسوي نسوي سويت سويتها نبغي نبي ناس استخدم اجي نجي ابنه
`;

export const stopWords: ReadonlySet<string> = new Set(`${english} ${arabic}`.split(/\s+/).filter(Boolean));
